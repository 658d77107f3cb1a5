import { randomUUID } from 'node:crypto';
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { z } from 'zod';
import { waitingStates } from '../client/noted-review.ts';
import type { Reviews } from '../client/reviews.ts';
import { reviewCommentSchema, reviewDecisionSchema } from '../domain/contracts/review.ts';
import { reviewReasonSchema } from '../domain/contracts/review-policy.ts';
import { accessOf } from './authenticate.ts';
import { ApiError } from './errors.ts';
import { methodNotAllowed, requireJson } from './http-basics.ts';
import { prefersAsync } from './prefer.ts';
import { idempotencyKeyOf } from './request-headers.ts';
import { decideWithFile } from './review-file-upload.ts';
import { withTexts, type TextReaders } from './review-texts.ts';
import type { UploadLimits } from './uploads.ts';
import { valid } from './validate.ts';

export interface ReviewRoutesOptions {
  reviews: Reviews;
  texts: TextReaders;
  limits: UploadLimits;
}

/** Two texts of 20,000 characters, however they are escaped. */
const bodyLimit = '512kb';

const listSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  state: z.enum(waitingStates).optional(),
  reason: reviewReasonSchema.optional(),
  before: z.iso.datetime({ error: 'must be `next` of the page before' }).optional(),
});
const round = z.number().int().positive();
const decisionSchema = z.strictObject({
  round,
  decision: reviewDecisionSchema,
  comment: reviewCommentSchema.nullable().default(null),
});
const claimSchema = z.strictObject({ round, how: z.enum(['claim', 'takeOver', 'release']).default('claim') });
const commentSchema = z.strictObject({ text: reviewCommentSchema });

/** What waits for a person, all about it, and what a person does about it. */
export function reviewRoutes({ reviews, texts, limits }: ReviewRoutesOptions): Router {
  const router = Router();
  const json = [requireJson, express.json({ limit: bodyLimit, strict: false })];

  const decide = async (req: Request<{ id: string }>, res: Response) => {
    const { round: seen, decision, comment } = valid(decisionSchema, req.body, 'body');
    if (decision.kind === 'addEvidence' && decision.evidence.from === 'file')
      throw new ApiError('Request.WrongFields', 'decision.evidence: send the file itself, as multipart/form-data.');
    await answer({ req, res }, { round: seen, decision, comment });
  };

  const answer = async (
    { req, res }: { req: Request<{ id: string }>; res: Response },
    content: z.output<typeof decisionSchema> & { fileHash?: string },
  ) => {
    const { id } = req.params;
    const request = { ...content, requestId: requestIdOf(req, res) };
    if (!prefersAsync(req.get('Prefer'))) return void res.json(await reviews.decide(accessOf(res), id, request));
    await reviews.decideLater(accessOf(res), id, request);
    const links = { review: `/v1/reviews/${id}`, question: `/v1/questions/${id}` };
    res.set('Preference-Applied', 'respond-async');
    res.status(202).json({ id, requestId: request.requestId, status: 'accepted', links });
  };

  const decideByFile = async (req: Request<{ id: string }>, res: Response) => {
    const file = { req, res, reviews, limits, requestId: requestIdOf(req, res) };
    await decideWithFile(file, (content) => answer({ req, res }, content));
  };

  router
    .route('/')
    .get(async (req, res) => {
      const filter = valid(listSchema, req.query, 'query');
      res.json(await reviews.list(accessOf(res), filter));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/:id')
    .get(async (req, res) => {
      const access = accessOf(res);
      res.json(await withTexts(await reviews.show(access, req.params.id), access, texts));
    })
    .all(methodNotAllowed('GET'));

  router.route('/:id/decisions').post(unlessJson(decideByFile), json, decide).all(methodNotAllowed('POST'));

  router
    .route('/:id/claim')
    .post(json, async (req: Request<{ id: string }>, res: Response) => {
      const claim = valid(claimSchema, req.body, 'body');
      res.json(await reviews.claim(accessOf(res), req.params.id, claim));
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/:id/comments')
    .post(json, async (req: Request<{ id: string }>, res: Response) => {
      const { text } = valid(commentSchema, req.body, 'body');
      const requestId = requestIdOf(req, res);
      res.json(await reviews.comment(accessOf(res), req.params.id, { text, requestId }));
    })
    .all(methodNotAllowed('POST'));

  return router;
}

function unlessJson(handle: (req: Request<{ id: string }>, res: Response) => Promise<void>) {
  return async (req: Request<{ id: string }>, res: Response, next: NextFunction) =>
    req.is('multipart/form-data') ? handle(req, res) : next();
}

/** Told with every response, so that a request without one of its own can be repeated, too. */
function requestIdOf(req: Request, res: Response): string {
  const requestId = idempotencyKeyOf(req) ?? res.get('Idempotency-Key') ?? randomUUID();
  res.set('Idempotency-Key', requestId);
  return requestId;
}
