import express, { Router } from 'express';
import { z } from 'zod';
import { forkRequestSchema } from '../domain/contracts/fork.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import { accessOf } from './authenticate.ts';
import { methodNotAllowed, requireJson } from './http-basics.ts';
import { abortWhenGone, idempotencyKeyOf } from './request-headers.ts';
import { sendStarted } from './started-run.ts';
import { valid } from './validate.ts';

const bodyLimit = '64kb';

const comparisonSchema = z.strictObject({
  with: z.string('name the other question: ?with=ID').min(1, 'name the other question: ?with=ID'),
});

/** Under `/v1/questions`: the same question once more under another policy or other models, and two runs side by side. */
export function forkRoutes(plumbline: PlumblineClient): Router {
  const router = Router();

  router
    .route('/:id/forks')
    .post(requireJson, express.json({ limit: bodyLimit, strict: false }), async (req, res) => {
      const request = valid(forkRequestSchema, req.body, 'body');
      const gone = abortWhenGone(res);
      const options = { ...request, idempotencyKey: idempotencyKeyOf(req) };
      await sendStarted({ req, res, gone }, await plumbline.fork(accessOf(res), req.params.id, options));
    })
    .get(async (req, res) => {
      res.json({ forks: await plumbline.forks(accessOf(res), req.params.id) });
    })
    .all(methodNotAllowed('GET', 'POST'));

  router
    .route('/:id/comparison')
    .get(async (req, res) => {
      const { with: other } = valid(comparisonSchema, req.query, 'query');
      res.json(await plumbline.compare(accessOf(res), req.params.id, other));
    })
    .all(methodNotAllowed('GET'));

  return router;
}
