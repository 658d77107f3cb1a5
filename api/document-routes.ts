import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import express, { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { IndexPort } from '../adapters/index/port.ts';
import { PlumblineError } from '../client/failures.ts';
import { newIngestionId, type Ingestions } from '../client/ingestions.ts';
import { documentMetadataSchema } from '../domain/contracts/document.ts';
import { isReviewedDocumentId } from '../domain/review/reviewed-document-id.ts';
import { accessOf } from './authenticate.ts';
import { ApiError } from './errors.ts';
import { methodNotAllowed, requireJson } from './http-basics.ts';
import { preferredWait } from './prefer.ts';
import { abortWhenGone, idempotencyKeyOf } from './request-headers.ts';
import { receiveUpload, removeUpload, type UploadLimits } from './uploads.ts';
import { valid } from './validate.ts';

export interface DocumentRoutesOptions {
  ingestions: Ingestions;
  index: IndexPort;
  limits: UploadLimits;
}

const listSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  status: documentMetadataSchema.shape.status.optional(),
  tag: z.string().min(1).max(100).optional(),
  search: z.string().min(1).max(200).optional(),
  after: z.string().min(1).max(200).optional(),
});
const showSchema = z.strictObject({ text: z.enum(['true', 'false']).default('false') });
const patchSchema = documentMetadataSchema.partial().strict();

/** Take in, list, show, change rights and other metadata, delete. Everybody sees and changes only what they may read; published reviews change elsewhere. */
export function documentRoutes({ ingestions, index, limits }: DocumentRoutesOptions): Router {
  const router = Router();

  const upload = async (req: Request, res: Response) => {
    const access = accessOf(res);
    const id = newIngestionId(access, idempotencyKeyOf(req));
    const uploads = ingestions.uploadsDir(access, id);
    if (uploads === null)
      throw new ApiError(
        'Upload.NotAvailable',
        'This copy has no folder shared with its workers; ingest with the command line.',
      );
    // Each call has a folder of its own: a repeated one must not write into files that a run is reading.
    const folder = join(uploads, randomUUID());
    const { files, hash } = await receiveUpload({ req, res }, { folder, limits });
    const gone = abortWhenGone(res);
    const ingestion = await startOrRemove(() => ingestions.start(access, { id, files, request: hash }), folder);
    const self = `/v1/ingestions/${id}`;
    res.location(self);
    const seconds = preferredWait(req.get('Prefer'));
    const view = seconds === null ? null : await ingestion.viewWithin(seconds * 1000, gone);
    if (gone.aborted) return;
    if (seconds !== null) res.set('Preference-Applied', `wait=${seconds}`);
    if (view !== null) return void res.status(200).json(view);
    res.status(202).json({ id, status: 'running', links: { self }, run: ingestion.run });
  };

  const list = async (req: Request, res: Response) => {
    const filter = valid(listSchema, req.query, 'query');
    const documents = await index.listDocuments(accessOf(res), defined(filter));
    const next = documents.length === filter.limit ? (documents.at(-1)?.documentId ?? null) : null;
    res.json({ documents, next });
  };

  const readable = async (req: Request<{ id: string }>, res: Response) => {
    const document = await index.document(accessOf(res), req.params.id);
    if (document === null) throw notFound(req.params.id);
    return document;
  };

  const show = async (req: Request<{ id: string }>, res: Response) => {
    const { text } = valid(showSchema, req.query, 'query');
    const document = await readable(req, res);
    if (text === 'false') return void res.json(document);
    const whole = await index.documentText(accessOf(res), req.params.id);
    if (whole === null) throw notFound(req.params.id);
    res.json({ ...document, text: whole });
  };

  /** Who gets to read what a reviewer gave is noted with its publication only. Operators may delete one whose run is gone. */
  const changeable = async (req: Request<{ id: string }>, res: Response) => {
    const document = await readable(req, res);
    const { documentId } = document;
    if (!isReviewedDocumentId(documentId)) return document;
    if (req.method === 'DELETE' && accessOf(res).roles?.includes('operator')) return document;
    throw new ApiError(
      'Document.Reserved',
      `"${documentId}" is a published review. Publish it anew or withdraw it: POST or DELETE ${publicationOf(documentId)}.`,
    );
  };

  const change = async (req: Request<{ id: string }>, res: Response) => {
    const changes = valid(patchSchema, req.body, 'body');
    const { documentId, metadata } = await changeable(req, res);
    const changed = { ...metadata, ...defined(changes) };
    if (!(await index.updateMetadata(accessOf(res).tenant, documentId, changed))) throw notFound(documentId);
    res.json({ documentId, metadata: changed });
  };

  const remove = async (req: Request<{ id: string }>, res: Response) => {
    const { documentId } = await changeable(req, res);
    if (!(await index.deleteDocument(accessOf(res).tenant, documentId))) throw notFound(documentId);
    res.status(204).end();
  };

  router.route('/').post(upload).get(list).all(methodNotAllowed('GET', 'POST'));
  router
    .route('/:id')
    .get(show)
    .patch(requireJson, express.json({ limit: '64kb', strict: false }), change)
    .delete(remove)
    .all(methodNotAllowed('GET', 'PATCH', 'DELETE'));
  return router;
}

/**
 * The files go when another call's run has them already, or none was started. When Temporal did not say whether one was, they stay: that run
 * needs them, or the one of the next call with the same key, and removes them.
 */
async function startOrRemove<T extends { fresh: boolean }>(start: () => Promise<T>, folder: string): Promise<T> {
  let needed = false;
  try {
    const started = await start();
    needed = started.fresh;
    return started;
  } catch (error) {
    needed = error instanceof PlumblineError && error.code === 'Temporal.Unavailable';
    throw error;
  } finally {
    if (!needed) await removeUpload(folder);
  }
}

function publicationOf(documentId: string): string {
  return `/v1/reviews/${documentId.slice(documentId.indexOf('/') + 1)}/publication`;
}

function notFound(id: string): ApiError {
  return new ApiError('Document.NotFound', `There is no document "${id}" that you may read.`);
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the fields that are not there. */
function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
