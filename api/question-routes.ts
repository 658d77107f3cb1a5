import express, { Router, type Request } from 'express';
import { z } from 'zod';
import { questionRequestSchema } from '../domain/contracts/question.ts';
import { questionStatuses } from '../client/question-view.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import type { EventsPort } from '../adapters/store/port.ts';
import { accessOf } from './authenticate.ts';
import { streamEvents, type StreamTimes } from './event-stream.ts';
import { methodNotAllowed, requireJson } from './http-basics.ts';
import { preferredWait } from './prefer.ts';
import { abortWhenGone, idempotencyKeyOf, lastEventSeen } from './request-headers.ts';
import { valid } from './validate.ts';

export interface QuestionRoutesOptions {
  plumbline: PlumblineClient;
  events: EventsPort;
  times: StreamTimes;
}

const bodyLimit = '64kb';
const endedReadMs = 5000;

const listSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(20),
  status: z.enum(questionStatuses).optional(),
});

/** Ask, look, watch, cancel, list. */
export function questionRoutes({ plumbline, events, times }: QuestionRoutesOptions): Router {
  const router = Router();

  const askedQuestion = async (req: Request, res: express.Response) => {
    const access = accessOf(res);
    const request = valid(questionRequestSchema, req.body, 'body');
    const gone = abortWhenGone(res);
    const asked = await plumbline.ask(access, request, { idempotencyKey: idempotencyKeyOf(req) });
    const self = `/v1/questions/${asked.id}`;
    res.location(self);
    const seconds = preferredWait(req.get('Prefer'));
    // The outcome of a run that has ended is only a read away.
    const patience = asked.ended ? endedReadMs : seconds === null ? null : seconds * 1000;
    const view = patience === null ? null : await asked.viewWithin(patience, gone);
    if (gone.aborted) return;
    if (seconds !== null) res.set('Preference-Applied', `wait=${seconds}`);
    if (view !== null) return void res.status(200).json(view);
    const { id, run } = asked;
    res.status(202).json({ id, status: 'running', links: { self, events: `${self}/events` }, run });
  };

  router
    .route('/')
    .post(requireJson, express.json({ limit: bodyLimit, strict: false }), askedQuestion)
    .get(async (req, res) => {
      const filter = valid(listSchema, req.query, 'query');
      res.json({ questions: await plumbline.list(accessOf(res), filter) });
    })
    .all(methodNotAllowed('GET', 'POST'));

  router
    .route('/:id')
    .get(async (req, res) => {
      const found = await plumbline.find(accessOf(res), req.params.id);
      res.json(await plumbline.viewOf(found, abortWhenGone(res)));
    })
    .delete(async (req, res) => {
      const { id } = req.params;
      await plumbline.cancel(accessOf(res), id);
      const self = `/v1/questions/${id}`;
      res.status(202).json({ id, status: 'cancelling', links: { self, events: `${self}/events` } });
    })
    .all(methodNotAllowed('GET', 'DELETE'));

  router
    .route('/:id/events')
    .get(async (req, res) => {
      const found = await plumbline.find(accessOf(res), req.params.id);
      await streamEvents({ found, plumbline, events, times, after: lastEventSeen(req) }, res);
    })
    .all(methodNotAllowed('GET'));

  return router;
}
