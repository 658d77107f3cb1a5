import express, { Router, type Request } from 'express';
import { z } from 'zod';
import { questionRequestSchema } from '../domain/contracts/question.ts';
import { reasonPattern } from '../client/question-query.ts';
import { questionStatuses } from '../client/question-view.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import type { EventsPort } from '../adapters/store/port.ts';
import { accessOf } from './authenticate.ts';
import { streamEvents, type StreamTimes } from './event-stream.ts';
import { methodNotAllowed, requireJson } from './http-basics.ts';
import { moment } from './moment.ts';
import { abortWhenGone, idempotencyKeyOf, lastEventSeen } from './request-headers.ts';
import { sendStarted } from './started-run.ts';
import { valid } from './validate.ts';

export interface QuestionRoutesOptions {
  plumbline: PlumblineClient;
  events: EventsPort;
  times: StreamTimes;
}

const bodyLimit = '64kb';

const listSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(20),
  status: z.enum(questionStatuses).optional(),
  reason: z.string().regex(reasonPattern, 'must be a reason such as Model.InsufficientQuota or no_evidence').optional(),
  since: moment.optional(),
  cursor: z.string().max(2000).optional(),
});

/** Ask, look, watch, cancel, list. */
export function questionRoutes({ plumbline, events, times }: QuestionRoutesOptions): Router {
  const router = Router();

  const askedQuestion = async (req: Request, res: express.Response) => {
    const access = accessOf(res);
    const request = valid(questionRequestSchema, req.body, 'body');
    const gone = abortWhenGone(res);
    const asked = await plumbline.ask(access, request, { idempotencyKey: idempotencyKeyOf(req) });
    await sendStarted({ req, res, gone }, asked);
  };

  router
    .route('/')
    .post(requireJson, express.json({ limit: bodyLimit, strict: false }), askedQuestion)
    .get(async (req, res) => {
      const filter = valid(listSchema, req.query, 'query');
      res.json(await plumbline.page(accessOf(res), filter));
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
      await streamEvents({ found, plumbline, events, times, seen: lastEventSeen(req) }, res);
    })
    .all(methodNotAllowed('GET'));

  return router;
}
