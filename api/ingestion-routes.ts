import { Router } from 'express';
import type { Ingestions } from '../client/ingestions.ts';
import { accessOf } from './authenticate.ts';
import { methodNotAllowed } from './http-basics.ts';
import { abortWhenGone } from './request-headers.ts';

/** How far an ingestion is, its report, and stopping it; for whoever started it. */
export function ingestionRoutes(ingestions: Ingestions): Router {
  const router = Router();
  router
    .route('/:id')
    .get(async (req, res) => {
      const ingestion = await ingestions.find(accessOf(res), req.params.id);
      res.json(await ingestion.view(abortWhenGone(res)));
    })
    .delete(async (req, res) => {
      const { id } = req.params;
      const ingestion = await ingestions.find(accessOf(res), id);
      await ingestion.cancel();
      res.status(202).json({ id, status: 'cancelling', links: { self: `/v1/ingestions/${id}` } });
    })
    .all(methodNotAllowed('GET', 'DELETE'));
  return router;
}
