import { createHash } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { AuditLog } from '../adapters/store/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { publicationRequestSchema, type PublicationRequest } from '../domain/contracts/publication.ts';
import { reviewedDocumentId } from '../domain/review/reviewed-document-id.ts';
import type { publishReview } from '../workflows/publish-review.ts';
import type { withdrawReview } from '../workflows/withdraw-review.ts';
import { findQuestion, type FoundQuestion } from './found-question.ts';
import { notedReview } from './noted-review.ts';
import { notPublished, publicationFailure, requireComing, underWay } from './publication-failures.ts';
import { publicationInput, reviewedOf } from './publication-input.ts';
import { beginPublication, newestPublication } from './publication-runs.ts';
import { publicationState, publicationView, unpublished, type PublicationView } from './publication-view.ts';
import type { RunRef } from './question-view.ts';
import { ReviewAttempts } from './review-attempts.ts';
import type { RunEnd } from './run-end.ts';
import { endWithin } from './temporal-calls.ts';

interface PublicationsOptions {
  client: Client;
  policies: Map<string, Policy>;
  audit: AuditLog | null;
  refOf: (workflowId: string, runId: string) => RunRef;
}

/** How long to wait for the end, in ms, and what ends the waiting. */
export interface Patience {
  ms: number;
  signal: AbortSignal | undefined;
}

/**
 * Reviewed answers and evidence as documents of the corpus. Publishing and withdrawing are for reviewers, of questions that they may see; every try is
 * written into the audit trail.
 */
export class Publications {
  private readonly options: PublicationsOptions;
  private readonly attempts: ReviewAttempts;

  constructor(options: PublicationsOptions) {
    this.options = options;
    this.attempts = new ReviewAttempts(options.client, options.audit);
  }

  /** @throws PlumblineError `Question.NotFound` */
  async find(access: Access, id: string): Promise<PublicationView> {
    await findQuestion(this.options.client, access, id);
    return this.viewOf(access.tenant, id);
  }

  /**
   * Publishes what a reviewer gave; a document that stands is replaced, the same publication under way is joined. `publishing` when the time is over first.
   * @throws PlumblineError `Question.NotFound`, `Review.NotAllowed`, `Review.NotPublishable`, `Publication.*`; ZodError for a wrong request
   */
  async publish(
    access: Access,
    id: string,
    { request, patience }: { request: Partial<PublicationRequest>; patience: Patience },
  ): Promise<PublicationView> {
    const asked = publicationRequestSchema.parse(request);
    const note = asked.allowWider ? { note: 'groups wider than those of the evidence are allowed' } : {};
    return this.attempts.make(access, { id, deed: { action: 'publish', ...note } }, async (run) => {
      const { client, policies } = this.options;
      const input = publicationInput(access, run, { asked, reviewed: await reviewedOf(client, run), policies });
      requireComing(asked.validUntil);
      const { title, validUntil, wanted, allowWider } = input;
      const memo = { action: 'publish' as const, title, validUntil };
      const handle = await beginPublication<typeof publishReview>(client, access, {
        id,
        type: 'publishReview',
        input,
        memo: { ...memo, request: hashOf([memo, wanted, allowWider]) },
      });
      await this.done(handle, patience);
      return { result: await this.viewOf(access.tenant, id), state: stateOf(run) };
    });
  }

  /**
   * Takes the document out of the corpus. `withdrawing` when the time is over first.
   * @throws PlumblineError `Question.NotFound`, `Review.NotAllowed`; `Publication.NotFound` where there is none; `Publication.UnderWay`
   */
  async withdraw(access: Access, id: string, patience: Patience): Promise<PublicationView> {
    return this.attempts.make(access, { id, deed: { action: 'withdraw' } }, async (run) => {
      const { published, status } = await this.viewOf(access.tenant, id);
      if (status === 'publishing') throw underWay();
      if (published === null) throw notPublished(id);
      const memo = { action: 'withdraw' as const, title: published.title, validUntil: published.validUntil };
      const handle = await beginPublication<typeof withdrawReview>(this.options.client, access, {
        id,
        type: 'withdrawReview',
        input: { tenant: access.tenant, documentId: reviewedDocumentId(id) },
        memo: { ...memo, request: hashOf([memo]) },
      });
      const end = await this.done(handle, patience);
      if (end?.status === 'ended' && !end.result.withdrawn) throw notPublished(id);
      return { result: await this.viewOf(access.tenant, id), state: stateOf(run) };
    });
  }

  /** Null when the time is over first. */
  private async done<R extends object>(
    handle: { result(): Promise<R> },
    patience: Patience,
  ): Promise<RunEnd<R> | null> {
    const end = await endWithin(this.options.client, handle, patience);
    const failure = end && publicationFailure(end);
    if (failure) throw failure;
    return end;
  }

  private async viewOf(tenant: string, id: string): Promise<PublicationView> {
    const newest = await newestPublication(this.options.client, tenant, id);
    if (newest === null) return publicationView(id, unpublished, null);
    const { workflowId, runId } = newest;
    return publicationView(id, publicationState(newest), this.options.refOf(workflowId, runId));
  }
}

function stateOf({ description }: FoundQuestion) {
  return notedReview(description.memo)?.state ?? null;
}

function hashOf(request: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
