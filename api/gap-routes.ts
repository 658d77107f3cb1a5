import { Router } from 'express';
import { z } from 'zod';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import { accessOf } from './authenticate.ts';
import { methodNotAllowed } from './http-basics.ts';
import { moment } from './moment.ts';
import { abortWhenGone } from './request-headers.ts';
import { valid } from './validate.ts';

const querySchema = z.strictObject({
  since: moment.prefault('30d'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  all: z.enum(['true', 'false']).default('false'),
});

/** What the documents do not answer, by meaning, and what would close it. */
export function gapRoutes(plumbline: PlumblineClient): Router {
  const router = Router();
  router
    .route('/')
    .get(async (req, res) => {
      const { since, limit, all } = valid(querySchema, req.query, 'query');
      const options = { since, limit, all: all === 'true', signal: abortWhenGone(res) };
      const report = await plumbline.gaps(accessOf(res), options);
      if (!options.signal.aborted) res.json(report);
    })
    .all(methodNotAllowed('GET'));
  return router;
}
