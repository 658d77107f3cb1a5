import express, { Router } from 'express';
import { z } from 'zod';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import { accessOf } from './authenticate.ts';
import { methodNotAllowed, requireJson } from './http-basics.ts';
import { valid } from './validate.ts';

const bodyLimit = '16kb';

const from = z.string().min(1).max(50).optional();
const planSchema = z.strictObject({ from });
const requestSchema = z.strictObject({ from, reason: z.string().trim().max(500).optional() });

/** Under `/v1/questions`: an ended run goes on from before a step; GET tells from which one it would. */
export function resumptionRoutes(plumbline: PlumblineClient): Router {
  const router = Router();
  router
    .route('/:id/resumption')
    .get(async (req, res) => {
      const { from } = valid(planSchema, req.query, 'query');
      res.json(await plumbline.resumption(accessOf(res), req.params.id, from));
    })
    .post(requireJson, express.json({ limit: bodyLimit, strict: false }), async (req, res) => {
      const request = valid(requestSchema, req.body, 'body');
      const resumed = await plumbline.resume(accessOf(res), req.params.id, request);
      res.status(202).location(`/v1/questions/${resumed.id}`).json(resumed);
    })
    .all(methodNotAllowed('GET', 'POST'));
  return router;
}
