import type { Request, Response } from 'express';
import type { AskedQuestion } from '../client/asked-question.ts';
import { preferredWait } from './prefer.ts';

const endedReadMs = 5000;

/**
 * Answers a request that started a run: 202 with its addresses, or 200 with its outcome where the caller wants to wait (`Prefer: wait`) and the run
 * ends in time, or has ended before. Nobody is kept waiting for a person: then it is 202, with how the review stands.
 */
export async function sendStarted(
  { req, res, gone }: { req: Request; res: Response; gone: AbortSignal },
  asked: AskedQuestion,
): Promise<void> {
  const self = `/v1/questions/${asked.id}`;
  res.location(self);
  const seconds = preferredWait(req.get('Prefer'));
  // The outcome of a run that has ended is only a read away.
  const patience = asked.ended ? endedReadMs : seconds === null ? null : seconds * 1000;
  const view = patience === null ? null : await asked.viewWithin(patience, gone);
  if (gone.aborted) return;
  if (seconds !== null) res.set('Preference-Applied', `wait=${seconds}`);
  if (view !== null && view.status !== 'running' && view.status !== 'awaiting_review')
    return void res.status(200).json(view);
  const { id, run, forkOf } = asked;
  const links = { self, events: `${self}/events` };
  const review = view?.status === 'awaiting_review' ? { review: view.review } : {};
  const status = view?.status ?? 'running';
  res.status(202).json({ id, status, ...(forkOf === null ? {} : { forkOf }), ...review, links, run });
}
