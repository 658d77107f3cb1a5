import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { AuditLog } from '../adapters/store/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import { compareOutcomes } from '../domain/comparison.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { QuestionRequest } from '../domain/contracts/question.ts';
import type { GapReport } from '../domain/contracts/gaps.ts';
import type { RunProgress } from '../domain/contracts/run.ts';
import { questionWorkflowId } from '../domain/rules/workflow-ids.ts';
import { waitNote } from '../domain/rules/may-wait.ts';
import { defaultTaskQueue } from '../workflows/messages.ts';
import { askedQuestion, type AskedQuestion, type StartedRun } from './asked-question.ts';
import { askedMemo, questionId, type AskedMemo } from './asker.ts';
import { comparedRun, type RunComparison } from './compared-run.ts';
import { PlumblineError } from './failures.ts';
import { mostForks, planFork, type ForkOptions } from './fork.ts';
import { findQuestion, notFound, type FoundQuestion } from './found-question.ts';
import { findGaps, type GapOptions } from './gaps.ts';
import type { StartedIngestion } from './ingestion-run.ts';
import { Ingestions, type IngestRequest } from './ingestions.ts';
import { listQuestions, type QuestionFilter, type QuestionPage } from './list-questions.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Publications } from './publications.ts';
import { questionNow, runProgress } from './question-now.ts';
import type { QuestionSummary, QuestionView, RunRef } from './question-view.ts';
import { planResumption, resumeRun, type ResumeRequest } from './resume.ts';
import { ReviewAttempts } from './review-attempts.ts';
import { Reviews } from './reviews.ts';
import { startQuestion } from './start-question.ts';
import { taskQueuePollers } from './task-queue.ts';
import { callTemporal } from './temporal-calls.ts';
import { sumUsage, type UsageReport } from './usage.ts';

export interface PlumblineClientOptions {
  client: Client;
  policies: Map<string, Policy>;
  /** The policy of a question that names none: `default` where it is not told. */
  defaultPolicy?: string;
  /** Base address of the Temporal UI, or null. */
  uiUrl: string | null;
  /** Folder shared with the workers; needed to ingest more than 50 files in one run. */
  spoolDir?: string;
  /** Keeps what is tried on reviews; without it, only the runs themselves keep what they accepted. */
  audit?: AuditLog;
}

/** Where an ended run goes on: before the step `from`, or from its last task (null). `run` is the one that it is then. */
export interface Resumption {
  id: string;
  from: string | null;
  run: RunRef;
}

/**
 * Plumbline for other programs: asks, watches, cancels and lists questions, and ingests documents, as whoever `access` says.
 * Throws PlumblineError; an outage of Temporal is `Temporal.Unavailable`, never "not found".
 */
export class PlumblineClient {
  readonly policies: Map<string, Policy>;
  readonly ingestions: Ingestions;
  readonly reviews: Reviews;
  readonly publications: Publications;
  private readonly client: Client;
  private readonly uiUrl: string | null;
  private readonly defaultPolicy: string;
  private readonly resuming = new OneAtATime();
  private readonly attempts: ReviewAttempts;

  /** Where a run is; a function of its own, to be given on. */
  private readonly refOf = (workflowId: string, runId: string): RunRef => {
    const { namespace } = this.client.options;
    const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}/history`;
    return { workflowId, runId, url: this.uiUrl === null ? null : `${this.uiUrl}/${path}` };
  };

  constructor({ client, policies, defaultPolicy, uiUrl, spoolDir, audit }: PlumblineClientOptions) {
    this.client = client;
    this.policies = policies;
    this.defaultPolicy = defaultPolicy ?? 'default';
    this.uiUrl = uiUrl;
    this.attempts = new ReviewAttempts(client, audit ?? null);
    this.ingestions = new Ingestions({ client, spoolDir: spoolDir ?? null, refOf: this.refOf });
    this.reviews = new Reviews({ client, spoolDir: spoolDir ?? null, refOf: this.refOf, audit: audit ?? null });
    this.publications = new Publications({ client, policies, refOf: this.refOf, audit: audit ?? null });
  }

  /**
   * Starts the run of one question. With an idempotency key a repeated request gets the first run, whether it has ended or not.
   * @throws PlumblineError `Question.UnknownPolicy`; `Question.KeyReused` when the key came with another request before
   */
  async ask(
    access: Access,
    request: QuestionRequest,
    options: { idempotencyKey?: string | undefined } = {},
  ): Promise<AskedQuestion> {
    const policy = this.policy(request.policy);
    return this.start(access, { policy, memo: askedMemo(access, request), ...options });
  }

  /**
   * Starts a new run of a question that the asker may see, with the asker's own rights, under another policy or other models; with neither, the
   * policy of the original once more. An idempotency key counts as for `ask`.
   * @throws PlumblineError `Question.NotFound`, `Question.UnknownPolicy`, `Question.IdleModel`, `Question.KeyReused`; ZodError for wrong models
   */
  async fork(access: Access, id: string, { idempotencyKey, ...request }: ForkOptions = {}): Promise<AskedQuestion> {
    const original = await this.find(access, id);
    const planned = planFork(access, original, { request, policyOf: (name) => this.policy(name) });
    return this.start(access, { ...planned, idempotencyKey });
  }

  /** The forks of a question that the reader may see, newest first, at most 200. @throws PlumblineError `Question.NotFound` */
  async forks(access: Access, id: string): Promise<QuestionSummary[]> {
    await this.find(access, id);
    const forks = await this.list(access, { limit: mostForks, forkOf: id });
    return forks.sort((a, b) => (a.askedAt > b.askedAt ? -1 : 1));
  }

  /** Two runs side by side, whether one is a fork of the other or not. @throws PlumblineError `Question.NotFound` */
  async compare(access: Access, first: string, second: string): Promise<RunComparison> {
    const [one, other] = await Promise.all([this.outcome(access, first), this.outcome(access, second)]);
    return { ids: { first, second }, ...compareOutcomes(comparedRun(one), comparedRun(other)) };
  }

  /** The question with its outcome, or with how far its run is. @throws PlumblineError `Question.NotFound` */
  async outcome(access: Access, id: string): Promise<QuestionView> {
    const found = await this.find(access, id);
    return this.viewOf(found);
  }

  /** What the run has done so far, with all its events; null when no worker could answer. @throws PlumblineError `Question.NotFound` */
  async progress(access: Access, id: string): Promise<RunProgress | null> {
    return this.progressOf(await this.find(access, id));
  }

  /** Asks the run to stop; it ends as cancelled soon after. @throws PlumblineError `Question.NotFound`, `Question.Ended` */
  async cancel(access: Access, id: string): Promise<void> {
    const { description, handle } = await this.find(access, id);
    if (description.status.name !== 'RUNNING') throw ended(id);
    try {
      await callTemporal(this.client, () => handle.cancel());
    } catch (error) {
      // It ended in between.
      throw error instanceof WorkflowNotFoundError ? ended(id) : error;
    }
  }

  /** From where `resume` would go on. @throws PlumblineError as `resume` */
  async resumption(access: Access, id: string, from?: string): Promise<Resumption> {
    const run = await this.find(access, id);
    const { step } = await planResumption(this.client, { access, run, from });
    return { id, from: step, run: this.refOf(run.workflowId, run.description.runId) };
  }

  /**
   * Goes on with an ended run from before the step that failed, or from the step named; what was done before is neither done nor paid again.
   * A repeated call finds the run under way and is refused.
   * @throws PlumblineError `Question.NotFound`, `Access.RoleNeeded`, `Run.NotFailed`, `Run.UnknownStep`
   */
  resume(access: Access, id: string, request: ResumeRequest = {}): Promise<Resumption & { resumedRunId: string }> {
    return this.resuming.run(questionWorkflowId(access.tenant, id), async () => {
      const run = await this.find(access, id);
      const { from, runId } = await resumeRun(this.client, { access, run, request });
      await this.attempts.note(access, run, { action: 'resume', note: `from ${from ?? 'its last task'}` });
      return { id, from, run: this.refOf(run.workflowId, runId), resumedRunId: run.description.runId };
    });
  }

  /** Questions of the reader's tenant that the reader may see: those under way first, then by their end, the latest first. */
  async list(access: Access, filter: QuestionFilter): Promise<QuestionSummary[]> {
    return (await this.page(access, filter)).questions;
  }

  /** As `list`, with the cursor of the next page. @throws PlumblineError `Question.WrongCursor` */
  page(access: Access, filter: QuestionFilter): Promise<QuestionPage> {
    return listQuestions(this.client, { access, filter, refOf: this.refOf });
  }

  /** Questions that the reader may see and that were not answered, or not without a person, grouped by meaning, with what would close each gap. */
  gaps(access: Access, options: GapOptions): Promise<GapReport> {
    return findGaps(this.client, access, options);
  }

  /** What the questions of the reader's tenant have cost, whoever asked them. */
  usage({ tenant }: Access, since: Date): Promise<UsageReport> {
    return sumUsage(this.client, { tenant, since, until: new Date() });
  }

  /** Where the question's run is in the Temporal UI; null where there is none. */
  async runUrl(access: Access, id: string): Promise<string | null> {
    const { workflowId, description } = await this.find(access, id);
    return this.refOf(workflowId, description.runId).url;
  }

  ingest(access: Access, request: IngestRequest): Promise<StartedIngestion> {
    return this.ingestions.start(access, request);
  }

  /** Whether a worker asked for work lately. @throws PlumblineError `Temporal.Unavailable` */
  workersPolling(): Promise<boolean> {
    return callTemporal(this.client, () => taskQueuePollers(this.client, defaultTaskQueue));
  }

  /** The run of a question. @throws PlumblineError `Question.NotFound`, also when this reader may not see it */
  find(access: Access, id: string): Promise<FoundQuestion> {
    return findQuestion(this.client, access, id);
  }

  viewOf(found: FoundQuestion, signal?: AbortSignal): Promise<QuestionView> {
    return questionNow({ client: this.client, refOf: this.refOf, signal }, found);
  }

  /** The present state of a run already found. */
  describe({ handle }: FoundQuestion): Promise<WorkflowExecutionDescription> {
    return callTemporal(this.client, () => handle.describe());
  }

  /** All events of one run. @throws PlumblineError `Question.NotFound` when Temporal has deleted it meanwhile */
  async history(workflowId: string, runId: string): Promise<History> {
    try {
      return await callTemporal(this.client, () => this.client.workflow.getHandle(workflowId, runId).fetchHistory());
    } catch (error) {
      throw error instanceof WorkflowNotFoundError ? notFound(workflowId) : error;
    }
  }

  /** As `progress`, for a run already found. */
  progressOf(found: FoundQuestion, signal?: AbortSignal): Promise<RunProgress | null> {
    return runProgress(this.client, found, signal);
  }

  /** Starts a run, or finds the one that was started under the idempotency key before. */
  private async start(
    access: Access,
    { policy, memo, idempotencyKey }: { policy: Policy; memo: AskedMemo; idempotencyKey?: string | undefined },
  ): Promise<AskedQuestion> {
    const id = questionId(access, idempotencyKey);
    const workflowId = questionWorkflowId(access.tenant, id);
    const input = { question: memo.question, access, policy };
    const runId = await startQuestion(this.client, { workflowId, input, memo });
    const { mayWait } = waitNote(policy);
    if (idempotencyKey === undefined && runId !== null)
      return this.asked({ id, memo, workflowId, runId, ended: false, mayWait });
    const first = await this.find(access, id);
    if (first.memo.request !== memo.request) {
      throw new PlumblineError(
        'Question.KeyReused',
        'this idempotency key was used for another request before; send a new key',
      );
    }
    const { runId: firstRunId, status } = first.description;
    const hasEnded = status.name !== 'RUNNING';
    return this.asked({ id, memo, workflowId, runId: firstRunId, ended: hasEnded, mayWait });
  }

  private asked(started: StartedRun): AskedQuestion {
    return askedQuestion({ client: this.client, refOf: this.refOf }, started);
  }

  private policy(name = this.defaultPolicy): Policy {
    const policy = this.policies.get(name);
    if (policy) return policy;
    const known = [...this.policies.keys()].join(', ');
    throw new PlumblineError('Question.UnknownPolicy', `there is no policy "${name}"; known are: ${known}`);
  }
}

function ended(id: string): PlumblineError {
  return new PlumblineError('Question.Ended', `the run of question ${id} has ended already`);
}
