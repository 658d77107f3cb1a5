import type { Client } from '@temporalio/client';
import type { AuditLog } from '../adapters/store/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { AuditAction, AuditEntry } from '../domain/contracts/audit.ts';
import { reviewSummarySchema, type ReviewState } from '../domain/contracts/review.ts';
import { readableMemo } from './asker.ts';
import { PlumblineError } from './failures.ts';
import { notFound, questionRun, type FoundQuestion, type QuestionRun } from './found-question.ts';
import { notedReview } from './noted-review.ts';

/** What somebody tries. `note`: a reason given with it, no text of an answer. */
export interface Deed {
  action: AuditAction;
  decision?: string;
  round?: number;
  requestId?: string;
  note?: string;
}

type Line = Omit<AuditEntry, 'at' | 'result'>;

/** Everything that is tried on reviews, each written into the audit trail before whoever tried it learns what became of it. */
export class ReviewAttempts {
  private readonly client: Client;
  private readonly audit: AuditLog | null;

  constructor(client: Client, audit: AuditLog | null) {
    this.client = client;
    this.audit = audit;
  }

  /**
   * Does something to the review of a question, if there is one that this reviewer may see.
   * @throws PlumblineError `Question.NotFound`; `Review.NotAllowed` without the role reviewer; `Audit.Unavailable`; and what `work` throws
   */
  async make<T>(
    access: Access,
    { id, deed }: { id: string; deed: Deed },
    work: (run: FoundQuestion) => Promise<{ result: T; state: ReviewState | null }>,
  ): Promise<T> {
    const { run, line } = await this.admit(access, { id, deed });
    const { result, state } = await this.orRecorded(line, () => work(run));
    await this.record({ ...line, result: 'accepted', to: state });
    return result;
  }

  /** @throws PlumblineError `Question.NotFound`; `Review.NotAllowed` without the role reviewer; `Audit.Unavailable` */
  async admit(access: Access, { id, deed }: { id: string; deed: Deed }): Promise<{ run: FoundQuestion; line: Line }> {
    const run = await questionRun(this.client, access.tenant, id);
    // There is no trail of what is not there.
    if (run === null) throw notFound(id);
    const line = lineOf(access, run, deed);
    return this.orRecorded(line, async () => {
      const memo = readableMemo(access, run.description.memo);
      if (memo === null) throw notFound(id);
      requireReviewer(access);
      return { run: { ...run, memo }, line };
    });
  }

  /** Writes down what was done to a run that had a review. @throws PlumblineError `Audit.Unavailable` */
  async note(access: Access, run: QuestionRun, deed: Deed): Promise<void> {
    if (notedReview(run.description.memo) !== null)
      await this.record({ ...lineOf(access, run, deed), result: 'accepted' });
  }

  /** @throws PlumblineError `Audit.Unavailable` */
  async of(tenant: string, id: string): Promise<AuditEntry[]> {
    return (await this.audited((audit) => audit.of(tenant, id))) ?? [];
  }

  private async orRecorded<T>(line: Line, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.record({ ...line, ...refusalOf(error, line.from) });
      throw error;
    }
  }

  private async record(entry: Line & Pick<AuditEntry, 'result'>): Promise<void> {
    await this.audited((audit) => audit.record({ ...entry, at: new Date().toISOString() }));
  }

  private async audited<T>(work: (audit: AuditLog) => Promise<T>): Promise<T | null> {
    try {
      return this.audit === null ? null : await work(this.audit);
    } catch (error) {
      throw new PlumblineError(
        'Audit.Unavailable',
        'the audit trail cannot be used, so it is not told what became of this; let an operator look at PLUMBLINE_AUDIT_DIR, then repeat it with the same request id',
        { retryAfterSeconds: 30, cause: error },
      );
    }
  }
}

/** @throws PlumblineError `Review.NotAllowed` */
export function requireReviewer({ roles = [] }: Access): void {
  if (roles.includes('reviewer')) return;
  const remedy = 'let an administrator give you the role "reviewer"';
  throw new PlumblineError('Review.NotAllowed', `reviews are for reviewers; ${remedy}`);
}

function lineOf({ tenant, user }: Access, { id, description }: QuestionRun, deed: Deed): Line {
  const { action, decision = null, round = null, requestId = null, note = null } = deed;
  const from = notedReview(description.memo)?.state ?? null;
  return { tenant, questionId: id, actor: user, action, decision, round, requestId, from, to: from, note };
}

/** A refusal changes nothing, and tells best how the review stands. */
function refusalOf(error: unknown, before: ReviewState | null): Pick<AuditEntry, 'result' | 'from' | 'to' | 'note'> {
  if (!(error instanceof PlumblineError)) return { result: 'Internal', from: before, to: before, note: null };
  const review = reviewSummarySchema.nullable().safeParse(error.members['review']).data;
  const state = review === undefined ? before : (review?.state ?? null);
  // Which statement is not in its source says too much of the answer.
  const note = error.code === 'Review.NotGrounded' ? null : error.message.slice(0, 500);
  return { result: error.code, from: state, to: state, note };
}
