import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { AuditLog } from '../adapters/store/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Actor, ClaimReview, DecideReview, DecisionResult, ReviewSummary } from '../domain/contracts/review.ts';
import { runFiles } from '../domain/ingestion/run-files.ts';
import {
  claimReviewUpdate,
  commentReviewUpdate,
  decideReviewSignal,
  decideReviewUpdate,
} from '../workflows/messages.ts';
import { fingerprintOf, updateIdOf, type DecisionRequest } from './decision-request.ts';
import { PlumblineError } from './failures.ts';
import { findQuestion, type FoundQuestion } from './found-question.ts';
import { notedReview } from './noted-review.ts';
import type { RunRef } from './question-view.ts';
import { ReviewAttempts, requireReviewer, type Deed } from './review-attempts.ts';
import { askReview, stateOf, type ReviewCall } from './review-failures.ts';
import { notAsked, reviewFileOf } from './review-file.ts';
import { listReviews } from './review-inbox.ts';
import { requireGrounded } from './require-grounded.ts';
import { wholeTrail, type ReviewFilter, type ReviewPage, type ReviewView } from './review-view.ts';
import { callTemporal } from './temporal-calls.ts';

interface ReviewsOptions {
  client: Client;
  /** Keeps what is tried; null: only the runs themselves keep what they accepted. */
  audit: AuditLog | null;
  spoolDir: string | null;
  refOf: (workflowId: string, runId: string) => RunRef;
}

/**
 * The reviews of a tenant's questions, as whoever `access` says, who must have the role reviewer. A question that this reviewer may not see is
 * `Question.NotFound`, as one that is not there.
 */
export class Reviews {
  private readonly options: ReviewsOptions;
  private readonly attempts: ReviewAttempts;

  constructor(options: ReviewsOptions) {
    this.options = options;
    this.attempts = new ReviewAttempts(options.client, options.audit);
  }

  /** What waits for this reviewer, the latest asked first. @throws PlumblineError `Review.NotAllowed` */
  async list(access: Access, filter: ReviewFilter): Promise<ReviewPage> {
    requireReviewer(access);
    const { client, refOf } = this.options;
    return listReviews(client, { access, filter, refOf });
  }

  /**
   * All that a reviewer needs to decide, with the whole trail; also when the run has ended.
   * @throws PlumblineError `Review.NotAllowed`; `Review.NotOpen` where nobody was asked; `Audit.Unavailable`
   */
  async show(access: Access, id: string): Promise<ReviewView> {
    const found = await findQuestion(this.options.client, access, id);
    requireReviewer(access);
    const [file, audit] = await Promise.all([
      reviewFileOf(this.options.client, found),
      this.attempts.of(access.tenant, id),
    ]);
    const { description, memo, workflowId } = found;
    const finalState = description.status.name === 'RUNNING' ? null : stateOf(found);
    if (file === null) throw notAsked(finalState);
    return {
      id,
      question: memo.question,
      user: memo.user,
      askedAt: description.startTime.toISOString(),
      finalState,
      ...file,
      trail: wholeTrail(file.trail, audit),
      run: this.options.refOf(workflowId, description.runId),
    };
  }

  /**
   * Decides. Of several decisions on a round one wins; the same request of the same person gets the first result, also when the run has ended.
   * @throws PlumblineError `Review.*`; `Temporal.Unavailable` when no worker answered: then it may still be taken
   */
  async decide(access: Access, id: string, request: DecisionRequest): Promise<DecisionResult> {
    return this.attempts.make(access, { id, deed: deedOf('decide', request) }, async (run) => {
      const args = messageOf(access, request);
      await requireGrounded(access.user, request.decision);
      const updateId = updateIdOf(access.user, request.requestId);
      const result = await askReview(this.call(run, request.round), () =>
        run.handle.executeUpdate(decideReviewUpdate, { args: [args], updateId }),
      );
      if (result.fingerprint !== args.fingerprint) throw keyReused(run);
      return { result, state: result.state };
    });
  }

  /**
   * Decides without waiting for what becomes of it, for example while no worker is there. A decision for a round that is not open yet is kept for it.
   * @throws PlumblineError `Review.Gone`, `Review.NotAllowed`, `Review.NotGrounded`
   */
  async decideLater(access: Access, id: string, request: DecisionRequest): Promise<void> {
    await this.attempts.make(access, { id, deed: deedOf('decideLater', request) }, async (run) => {
      await requireGrounded(access.user, request.decision);
      const message = messageOf(access, request);
      const call = { ...this.call(run, request.round), kind: 'call' as const };
      await askReview(call, () => run.handle.signal(decideReviewSignal, message));
      return { result: null, state: notedReview(run.description.memo)?.state ?? null };
    });
  }

  /** @throws PlumblineError `Review.Claimed` when somebody else has it, `Review.*` */
  async claim(access: Access, id: string, { round, how }: Omit<ClaimReview, 'actor'>): Promise<ReviewSummary> {
    return this.attempts.make(access, { id, deed: { action: how, round } }, async (run) => {
      const args: [ClaimReview] = [{ actor: actorOf(access), round, how }];
      const result = await askReview(this.call(run, round), () =>
        run.handle.executeUpdate(claimReviewUpdate, { args }),
      );
      return { result, state: result.state };
    });
  }

  /** Adds a line to the trail; the same request of the same person adds one. @throws PlumblineError `Review.*` */
  async comment(
    access: Access,
    id: string,
    { text, requestId = randomUUID() }: { text: string; requestId?: string | undefined },
  ): Promise<ReviewSummary> {
    return this.attempts.make(access, { id, deed: { action: 'comment', requestId } }, async (run) => {
      const updateId = `comment-${updateIdOf(access.user, requestId)}`;
      const result = await askReview(this.call(run, null), () =>
        run.handle.executeUpdate(commentReviewUpdate, { args: [{ actor: actorOf(access), text }], updateId }),
      );
      return { result, state: result.state };
    });
  }

  /**
   * Before a file is received that is to come with a decision: whether this person may decide here at all. `repeated`: this request has been decided.
   * @throws PlumblineError `Question.NotFound`, `Review.NotAllowed`
   */
  async admit(access: Access, id: string, requestId: string): Promise<{ repeated: boolean }> {
    const deed: Deed = { action: 'decide', decision: 'addEvidence', requestId };
    const { run } = await this.attempts.admit(access, { id, deed });
    const update = run.handle.getUpdateHandle(updateIdOf(access.user, requestId));
    try {
      await callTemporal(this.options.client, () => update.result());
      return { repeated: true };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { repeated: false };
      throw error;
    }
  }

  /** Where files sent with a decision are to be put; null without a folder shared with the workers. */
  uploadsDir({ tenant }: Access, id: string): string | null {
    const { spoolDir } = this.options;
    return spoolDir === null ? null : join(spoolDir, ...runFiles(`review.${tenant}.${id}`).uploads.split('/'));
  }

  private call(run: FoundQuestion, round: number | null): ReviewCall {
    return { client: this.options.client, run, round, kind: 'update' };
  }
}

function actorOf({ user, groups, roles = [] }: Access): Actor {
  return { user, groups, roles };
}

function messageOf(access: Access, request: DecisionRequest): DecideReview {
  const { requestId, round, decision, comment } = request;
  return { requestId, fingerprint: fingerprintOf(request), actor: actorOf(access), round, decision, comment };
}

function deedOf(action: 'decide' | 'decideLater', { decision, round, requestId }: DecisionRequest): Deed {
  const reason = decision.kind === 'reject' || decision.kind === 'decline' ? { note: decision.reason } : {};
  return { action, decision: decision.kind, round, requestId, ...reason };
}

function keyReused({ description }: FoundQuestion): PlumblineError {
  return new PlumblineError('Review.KeyReused', 'this request id came with another decision before; send a new one', {
    members: { review: notedReview(description.memo) },
  });
}
