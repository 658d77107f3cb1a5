import { Router } from 'express';
import { z } from 'zod';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import { sinceTime } from '../client/since.ts';
import { accessOf } from './authenticate.ts';
import { methodNotAllowed } from './http-basics.ts';
import { valid } from './validate.ts';

const moment = z.string().transform((text, context) => {
  const at = sinceTime(text, new Date());
  if (at !== null) return at;
  context.addIssue('must be a time in the past: 30m, 24h, 7d, a date such as 2026-11-30, or a date with a time');
  return z.NEVER;
});
const querySchema = z.strictObject({ since: moment.prefault('24h') });

/** What the questions of the asker's tenant have cost. */
export function usageRoutes(plumbline: PlumblineClient): Router {
  const router = Router();
  router
    .route('/')
    .get(async (req, res) => {
      const { since } = valid(querySchema, req.query, 'query');
      res.json(await plumbline.usage(accessOf(res), since));
    })
    .all(methodNotAllowed('GET'));
  return router;
}
