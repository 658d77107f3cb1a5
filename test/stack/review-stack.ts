import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { isWaiting, notedReview } from '../../client/noted-review.ts';
import type { EndedView, QuestionView } from '../../client/question-view.ts';
import type { ReviewView } from '../../client/review-view.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { ReviewDecision } from '../../domain/contracts/review.ts';
import type { ReviewPolicy } from '../../domain/contracts/review-policy.ts';
import { questionWorkflowId } from '../../domain/rules/workflow-ids.ts';
import { reviewedPolicy } from '../support/review-runs.ts';
import type { PlumblineProcess } from '../support/plumbline-process.ts';
import { Cluster } from './cluster.ts';
import { Halves } from './halves.ts';

const samples = join(import.meta.dirname, '..', '..', 'examples', 'corpus');

export type Part = 'worker' | 'API' | 'Temporal server';
/** `policy`: what differs from the default one besides its rules of review. */
export type ReviewRules = Partial<ReviewPolicy> & { policy?: Partial<Policy> };

export interface Sent {
  by?: 'ann' | 'ben';
  key?: string;
  round?: number;
  /** As `Prefer`. */
  prefer?: string;
  /** Address of a proxy. */
  through?: string;
}

/** Worker, API and Temporal server as processes of their own, over data of their own, whose runs ask a person: ann or ben, over HTTP. */
export class ReviewStack {
  readonly halves: Halves;
  readonly client: Client;
  private readonly cluster: Cluster;
  private readonly folder: string;
  private worker: PlumblineProcess | null = null;
  private api: PlumblineProcess | null = null;

  private constructor(parts: { halves: Halves; client: Client; cluster: Cluster; folder: string }) {
    this.halves = parts.halves;
    this.client = parts.client;
    this.cluster = parts.cluster;
    this.folder = parts.folder;
  }

  /** With the sample corpus; `rules` become policies of these names. */
  static async start(rules: Record<string, ReviewRules>, env: Record<string, string> = {}): Promise<ReviewStack> {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-reviews-'));
    const policies = join(folder, 'policies');
    mkdirSync(policies);
    for (const [name, { policy, ...review }] of Object.entries(rules))
      writeFileSync(join(policies, `${name}.json`), JSON.stringify({ ...reviewedPolicy(review, policy), name }));
    const principals = join(folder, 'principals.json');
    writeFileSync(principals, JSON.stringify(['ann', 'ben'].map(reviewer)));
    const cluster = await Cluster.start();
    const client = new Client({ connection: await Connection.connect({ address: cluster.address }) });
    const halves = await Halves.create({
      TEMPORAL_ADDRESS: cluster.address,
      PLUMBLINE_POLICIES: policies,
      PLUMBLINE_PRINCIPALS: principals,
      ...env,
    });
    const stack = new ReviewStack({ halves, client, cluster, folder });
    await Promise.all([stack.restart('worker'), stack.restart('API')]);
    const ingest = halves.run(['ingest', samples]);
    if ((await ingest.exit()) !== 0) throw new Error(ingest.stderr);
    return stack;
  }

  async kill(part: Part): Promise<void> {
    if (part === 'Temporal server') await this.cluster.kill();
    else await (part === 'worker' ? this.worker : this.api)?.stop('SIGKILL');
  }

  /** Resolves when all parts say that they are ready. */
  async restart(part: Part, env: Record<string, string> = {}): Promise<void> {
    if (part === 'Temporal server') await this.cluster.resume();
    else if (part === 'worker') this.worker = await this.halves.worker(env);
    else this.api = await this.halves.api();
    if (this.worker !== null) await until(async () => (await fetch(`${this.halves.workerUrl}/ready`)).status === 200);
    if (this.api !== null) await until(async () => (await this.halves.fetch('/ready')).status === 200);
  }

  /** What a half has written to its log so far. */
  said(part: 'worker' | 'API'): string {
    return (part === 'worker' ? this.worker : this.api)?.stderr ?? '';
  }

  /** @returns the id of the question */
  async ask(question: string, policy: string): Promise<string> {
    const body = JSON.stringify({ question, policy });
    const response = await this.halves.fetch('/v1/questions', { method: 'POST', body });
    if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  }

  /** The id of a question whose run waits for a person. */
  async waiting(question: string, policy: string): Promise<string> {
    const id = await this.ask(question, policy);
    // Not by asking the run itself: Temporal's time of a local step that a query meets is another one at each replay.
    await until(async () => isWaiting(notedReview((await this.handle(id).describe()).memo)));
    return id;
  }

  async view(id: string): Promise<QuestionView> {
    return (await (await this.halves.fetch(`/v1/questions/${id}`)).json()) as QuestionView;
  }

  /** With the outcome, once there is one. */
  async ended(id: string): Promise<EndedView> {
    for (;;) {
      const view = await this.view(id);
      if ('answer' in view) return view;
      await pause(100);
    }
  }

  /** As ann sees it, as soon as a worker can tell. */
  async review(id: string): Promise<ReviewView> {
    for (;;) {
      const response = await this.asAnn(`/v1/reviews/${id}`);
      if (response.status === 200) return (await response.json()) as ReviewView;
      if (response.status !== 503) throw new Error(`${response.status}: ${await response.text()}`);
      await pause(100);
    }
  }

  async inbox(): Promise<string[]> {
    const { reviews } = (await (await this.asAnn('/v1/reviews?limit=200')).json()) as { reviews: { id: string }[] };
    return reviews.map(({ id }) => id);
  }

  decide(id: string, decision: ReviewDecision, { by = 'ann', round = 1, ...how }: Sent = {}): Promise<Response> {
    return this.post(by, `/v1/reviews/${id}/decisions`, { ...how, body: { round, decision } });
  }

  claim(id: string, by: 'ann' | 'ben'): Promise<Response> {
    return this.post(by, `/v1/reviews/${id}/claim`, { body: { round: 1 } });
  }

  comment(id: string, text: string): Promise<Response> {
    return this.post('ann', `/v1/reviews/${id}/comments`, { body: { text } });
  }

  handle(id: string): WorkflowHandle {
    return this.client.workflow.getHandle(questionWorkflowId('main', id));
  }

  async remove(): Promise<void> {
    await this.client.connection.close();
    await this.halves.remove();
    await this.cluster.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private post(
    by: 'ann' | 'ben',
    path: string,
    { body, key = randomUUID(), prefer, through }: Pick<Sent, 'key' | 'prefer' | 'through'> & { body: object },
  ): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(prefer === undefined ? {} : { prefer }),
    };
    const authorization = `Bearer ${tokenOf(by)}`;
    const init = { method: 'POST', headers: { ...headers, authorization }, body: JSON.stringify(body) };
    return fetch(`${through ?? this.halves.url}${path}`, init);
  }

  private asAnn(path: string): Promise<Response> {
    return fetch(`${this.halves.url}${path}`, { headers: { authorization: `Bearer ${tokenOf('ann')}` } });
  }
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(isAway))) await pause(50);
}

/** A process that has just been started does not listen yet. */
function isAway(error: unknown): false {
  if (error instanceof TypeError) return false;
  throw error;
}

const tokenOf = (user: string) => `the-token-of-${user}-who-reviews`;

function reviewer(user: string) {
  return { token: tokenOf(user), tenant: 'main', user, groups: ['staff', 'night'], roles: ['reviewer'] };
}
