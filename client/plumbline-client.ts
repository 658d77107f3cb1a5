import {
  QueryNotRegisteredError,
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Access } from '../domain/contracts/access.ts';
import type { Outcome } from '../domain/contracts/answer.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { QuestionRequest } from '../domain/contracts/question.ts';
import { questionWorkflowId, type RunProgress } from '../domain/contracts/run.ts';
import type { answerQuestion } from '../workflows/answer-question.ts';
import { defaultTaskQueue, progressQuery } from '../workflows/messages.ts';
import { askedMemo, questionId, readableMemo, type AskedMemo } from './asker.ts';
import { PlumblineError, fromTemporal } from './failures.ts';
import type { StartedIngestion } from './ingestion-run.ts';
import { Ingestions, type IngestRequest } from './ingestions.ts';
import { listQuestions, type QuestionFilter } from './list-questions.ts';
import { outcomeOf, viewOfEnd } from './question-end.ts';
import type { QuestionSummary, QuestionView, RunRef } from './question-view.ts';
import { runEnd } from './run-end.ts';
import { startQuestion } from './start-question.ts';
import { taskQueuePollers } from './task-queue.ts';
import { callTemporal, endWithin } from './temporal-calls.ts';
import { sumUsage, type UsageReport } from './usage.ts';

/** How long a run may take from its last event until the server knows that it has ended. */
const endingMs = 3000;

type QuestionHandle = WorkflowHandle<typeof answerQuestion>;

export interface PlumblineClientOptions {
  client: Client;
  policies: Map<string, Policy>;
  /** The policy of a question that names none: `default` where it is not told. */
  defaultPolicy?: string;
  /** Base address of the Temporal UI, or null. */
  uiUrl: string | null;
  /** Folder shared with the workers; needed to ingest more than 50 files in one run. */
  spoolDir?: string;
}

export interface AskedQuestion {
  id: string;
  question: string;
  run: RunRef;
  /** True when the idempotency key led to a run that has ended already. */
  ended: boolean;
  /** Waits for the outcome, as long as it takes. Rejects with RunFailedError when the run failed or was cancelled. */
  result(): Promise<Outcome>;
  /** Waits for the end at most that long; null when the run still goes on then. */
  viewWithin(ms: number, signal?: AbortSignal): Promise<QuestionView | null>;
}

interface StartedRun {
  id: string;
  memo: AskedMemo;
  workflowId: string;
  runId: string;
  ended: boolean;
}

/** A run that a reader may see. */
export interface FoundQuestion {
  id: string;
  workflowId: string;
  memo: AskedMemo;
  description: WorkflowExecutionDescription;
  handle: QuestionHandle;
}

/**
 * Plumbline for other programs: asks, watches, cancels and lists questions, and ingests documents, as whoever `access` says.
 * Throws PlumblineError; an outage of Temporal is `Temporal.Unavailable`, never "not found".
 */
export class PlumblineClient {
  readonly policies: Map<string, Policy>;
  readonly ingestions: Ingestions;
  private readonly client: Client;
  private readonly uiUrl: string | null;
  private readonly defaultPolicy: string;

  constructor({ client, policies, defaultPolicy, uiUrl, spoolDir }: PlumblineClientOptions) {
    this.client = client;
    this.policies = policies;
    this.defaultPolicy = defaultPolicy ?? 'default';
    this.uiUrl = uiUrl;
    const refOf = (workflowId: string, runId: string) => this.refOf(workflowId, runId);
    this.ingestions = new Ingestions({ client, spoolDir: spoolDir ?? null, refOf });
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
    const id = questionId(access, options.idempotencyKey);
    const workflowId = questionWorkflowId(access.tenant, id);
    const memo = askedMemo(access, request);
    const input = { question: request.question, access, policy };
    const runId = await startQuestion(this.client, { workflowId, input, memo });
    if (options.idempotencyKey === undefined && runId !== null)
      return this.asked({ id, memo, workflowId, runId, ended: false });
    const first = await this.find(access, id);
    if (first.memo.request !== memo.request) {
      throw new PlumblineError(
        'Question.KeyReused',
        'this idempotency key was used for another request before; send a new key',
      );
    }
    const { runId: firstRunId, status } = first.description;
    return this.asked({ id, memo, workflowId, runId: firstRunId, ended: status.name !== 'RUNNING' });
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

  /** Questions of the reader's tenant that the reader may see, newest first. */
  list(access: Access, filter: QuestionFilter): Promise<QuestionSummary[]> {
    const refOf = (workflowId: string, runId: string) => this.refOf(workflowId, runId);
    return callTemporal(this.client, () => listQuestions(this.client, { access, filter, refOf }));
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
  async find(access: Access, id: string): Promise<FoundQuestion> {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) throw notFound(id);
    const workflowId = questionWorkflowId(access.tenant, id);
    const handle: QuestionHandle = this.client.workflow.getHandle<typeof answerQuestion>(workflowId);
    try {
      const description = await callTemporal(this.client, () => handle.describe());
      const memo = readableMemo(access, description.memo);
      if (memo === null) throw notFound(id);
      return { id, workflowId, memo, description, handle };
    } catch (error) {
      throw error instanceof WorkflowNotFoundError ? notFound(id) : error;
    }
  }

  async viewOf(found: FoundQuestion, signal?: AbortSignal): Promise<QuestionView> {
    const { id, memo, description, handle, workflowId } = found;
    const base = { id, question: memo.question, run: this.refOf(workflowId, description.runId) };
    if (description.status.name !== 'RUNNING') {
      return viewOfEnd(base, await callTemporal(this.client, () => runEnd(handle), { signal }));
    }
    const progress = await this.progressOf(found, signal);
    if (progress === null) return { ...base, status: 'running', progress: 'unavailable' };
    const { events, ...soFar } = progress;
    const last = events.at(-1)?.type;
    if (last === 'run-end' || last === 'run-error') {
      // The run has said its last word, and its end is on the way to the server.
      const end = await endWithin(this.client, handle, { ms: endingMs, signal });
      if (end) return viewOfEnd(base, end);
    }
    return { ...base, status: 'running', progress: 'available', ...soFar };
  }

  /** The present state of a run already found. */
  describe({ handle }: FoundQuestion): Promise<WorkflowExecutionDescription> {
    return callTemporal(this.client, () => handle.describe());
  }

  /** As `progress`, for a run already found. */
  async progressOf({ handle }: FoundQuestion, signal?: AbortSignal): Promise<RunProgress | null> {
    try {
      return await callTemporal(this.client, () => handle.query(progressQuery), { kind: 'query', signal });
    } catch (error) {
      // Temporal itself was reached a moment ago: what is missing is a worker that answers for this run.
      if (error instanceof PlumblineError || error instanceof QueryNotRegisteredError) return null;
      throw error;
    }
  }

  private asked({ id, memo, workflowId, runId, ended }: StartedRun): AskedQuestion {
    const run = this.refOf(workflowId, runId);
    const handle: QuestionHandle = this.client.workflow.getHandle<typeof answerQuestion>(workflowId, runId);
    const base = { id, question: memo.question, run };
    return {
      ...base,
      ended,
      result: async () =>
        outcomeOf(await runEnd(handle).catch((error: unknown) => Promise.reject(fromTemporal(error)))),
      viewWithin: async (ms, signal) => {
        const end = await endWithin(this.client, handle, { ms, signal });
        return end && viewOfEnd(base, end);
      },
    };
  }

  private policy(name = this.defaultPolicy): Policy {
    const policy = this.policies.get(name);
    if (policy) return policy;
    const known = [...this.policies.keys()].join(', ');
    throw new PlumblineError('Question.UnknownPolicy', `there is no policy "${name}"; known are: ${known}`);
  }

  private refOf(workflowId: string, runId: string): RunRef {
    const { namespace } = this.client.options;
    const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}/history`;
    return { workflowId, runId, url: this.uiUrl === null ? null : `${this.uiUrl}/${path}` };
  }
}

function notFound(id: string): PlumblineError {
  return new PlumblineError('Question.NotFound', `there is no question ${id} that you may see`);
}

function ended(id: string): PlumblineError {
  return new PlumblineError('Question.Ended', `the run of question ${id} has ended already`);
}
