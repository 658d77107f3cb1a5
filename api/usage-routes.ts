import { Router } from 'express';
import { z } from 'zod';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import { accessOf } from './authenticate.ts';
import { methodNotAllowed } from './http-basics.ts';
import { moment } from './moment.ts';
import { valid } from './validate.ts';

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
