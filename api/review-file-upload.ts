import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { PlumblineError } from '../client/failures.ts';
import type { Reviews } from '../client/reviews.ts';
import { evidenceTitleSchema, reviewCommentSchema, type ReviewDecision } from '../domain/contracts/review.ts';
import { accessOf } from './authenticate.ts';
import { ApiError } from './errors.ts';
import { receiveFiles, removeUpload, type UploadLimits } from './uploads.ts';
import { valid } from './validate.ts';

interface FileRequest {
  req: Request<{ id: string }>;
  res: Response;
  reviews: Reviews;
  limits: UploadLimits;
  requestId: string;
}

interface FileDecision {
  round: number;
  decision: Extract<ReviewDecision, { kind: 'addEvidence' }>;
  comment: string | null;
  fileHash: string;
}

/** The fields of a form are texts. */
const fieldsSchema = z.object({
  round: z.coerce.number({ error: 'must be the number of the round that you have seen' }).int().positive(),
  title: evidenceTitleSchema.optional(),
  comment: reviewCommentSchema.nullable().default(null),
});

/**
 * Takes a file that is to be evidence (fields `file`, `round`, and if wanted `title` and `comment`) to where the workers read it. It is removed again when
 * the decision does not count, or has come before.
 */
export async function decideWithFile(
  { req, res, reviews, limits, requestId }: FileRequest,
  decide: (decision: FileDecision) => Promise<void>,
): Promise<void> {
  const access = accessOf(res);
  const { id } = req.params;
  const { repeated } = await reviews.admit(access, id, requestId);
  const uploads = reviews.uploadsDir(access, id);
  if (uploads === null)
    throw new ApiError('Upload.NotAvailable', 'This copy has no folder shared with its workers; send the text.');
  const folder = join(uploads, randomUUID());
  const place = { folder, limits: { ...limits, files: 1 }, fields: ['round', 'title', 'comment'] };
  const decision = await receiveFiles({ req, res }, place, ([file], fields): FileDecision => {
    const { round, title, comment } = valid(fieldsSchema, fields, 'body');
    if (file === undefined) throw new TypeError('a request without a file was let in');
    const evidence = { from: 'file' as const, path: file.path, name: file.name, ...(title ? { title } : {}) };
    return { round, decision: { kind: 'addEvidence', evidence }, comment, fileHash: file.sha256 };
  });
  let needed = false;
  try {
    await decide(decision);
    needed = !repeated;
  } catch (error) {
    // It may still be taken.
    needed = error instanceof PlumblineError && undecided.has(error.code);
    throw error;
  } finally {
    if (!needed) await removeUpload(folder);
  }
}

/** What does not say whether the decision counts. */
const undecided = new Set(['Temporal.Unavailable', 'Worker.Unavailable', 'Audit.Unavailable']);
