import express, { Router, type Request, type Response } from 'express';
import type { IndexPort } from '../adapters/index/port.ts';
import type { PublicationView } from '../client/publication-view.ts';
import type { Publications } from '../client/publications.ts';
import { publicationRequestSchema } from '../domain/contracts/publication.ts';
import { accessOf } from './authenticate.ts';
import { methodNotAllowed, requireJson } from './http-basics.ts';
import { abortWhenGone } from './request-headers.ts';
import { valid } from './validate.ts';

/** How long a call waits for the document to be there, or gone; after that it goes on by itself. */
const waitMs = 30_000;
const bodyLimit = '64kb';

/** Under `/v1/reviews`: what a reviewer gave as a document of the corpus; look, publish, withdraw. */
export function publicationRoutes(publications: Publications, index: Pick<IndexPort, 'liveVersion'>): Router {
  const router = Router();

  const publish = async (req: Request<{ id: string }>, res: Response) => {
    const request = valid(publicationRequestSchema, req.body, 'body');
    const patience = { ms: waitMs, signal: abortWhenGone(res) };
    const view = await publications.publish(accessOf(res), req.params.id, { request, patience });
    if (patience.signal.aborted) return;
    res.status(view.status === 'publishing' ? 202 : 200).json(view);
  };

  const show = async (req: Request<{ id: string }>, res: Response) => {
    const access = accessOf(res);
    const view = await publications.find(access, req.params.id);
    const gone = view.status === 'published' && (await index.liveVersion(access.tenant, view.documentId)) === null;
    res.json(gone ? deleted(view) : view);
  };

  const withdraw = async (req: Request<{ id: string }>, res: Response) => {
    const patience = { ms: waitMs, signal: abortWhenGone(res) };
    const view = await publications.withdraw(accessOf(res), req.params.id, patience);
    if (patience.signal.aborted) return;
    if (view.status === 'withdrawing') res.status(202).json(view);
    else res.status(204).end();
  };

  router
    .route('/:id/publication')
    .post(requireJson, express.json({ limit: bodyLimit, strict: false }), publish)
    .get(show)
    .delete(withdraw)
    .all(methodNotAllowed('GET', 'POST', 'DELETE'));
  return router;
}

/** An operator may delete it as any document. */
function deleted(view: PublicationView): PublicationView {
  const reason = { code: 'Document.NotFound', message: 'its document was deleted' };
  return { ...view, status: 'unpublished', published: null, reason };
}
