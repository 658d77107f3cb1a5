import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type InjectedSinks } from '@temporalio/worker';
import type { AnswerActivities } from '../../activities/index.ts';
import {
  createIngestionActivities,
  type IngestionActivities,
  type IngestionDeps,
} from '../../activities/ingestion/index.ts';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { createDocumentParser } from '../../adapters/parsers/index.ts';
import { createAuditFiles } from '../../adapters/store/audit/file.ts';
import { createInProcessEvents } from '../../adapters/store/in-process-events.ts';
import type { AuditLog, EventsPort } from '../../adapters/store/port.ts';
import { createApi, type ApiOptions } from '../../api/app.ts';
import { loadPrincipals, type Principals } from '../../api/principals.ts';
import { PlumblineClient } from '../../client/plumbline-client.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { quietTemporalCli } from '../support/quiet-temporal.ts';
import { loadPolicies } from '../../policies/load.ts';
import { defaultTaskQueue } from '../../workflows/messages.ts';
import type { EventSinks } from '../../workflows/answer/state.ts';
import { attributeTypes } from '../../launcher/search-attributes.ts';
import { dimensions, fakeEmbedding } from '../ingestion/fake-embedding.ts';
import { limits } from '../ingestion/settings.ts';
import { bundle } from '../support/question-runs.ts';
import { quietRuntime } from '../support/servers.ts';
import { scriptedSteps, type Script } from '../support/scripted-steps.ts';

export const people = {
  intern: { token: 'token-of-the-intern', tenant: 'main', user: 'intern', groups: [] as string[] },
  clerk: { token: 'token-of-the-clerk-', tenant: 'main', user: 'clerk', groups: ['staff', 'board'] },
  birch: { token: 'token-of-birch-who-is-elsewhere', tenant: 'birch', user: 'owner', groups: ['staff'] },
  ann: { token: 'token-of-ann-who-reviews', tenant: 'main', user: 'ann', groups: ['staff'], roles: ['reviewer'] },
  ben: {
    token: 'token-of-ben-who-reviews',
    tenant: 'main',
    user: 'ben',
    groups: ['staff', 'legal'],
    roles: ['reviewer'],
  },
  cleo: { token: 'token-of-cleo-elsewhere', tenant: 'birch', user: 'cleo', groups: ['staff'], roles: ['reviewer'] },
};

/** The API over real HTTP, on a real Temporal server, with scripted steps instead of an index and models. */
export interface ApiHouse {
  url: string;
  token: string;
  env: TestWorkflowEnvironment;
  plumbline: PlumblineClient;
  audit: AuditLog;
  events: EventsPort & { listeners(): number };
  principals: Principals;
  principalsFile: string;
  folder: string;
  /** What the next `/ready` hears of the index. */
  indexHealth: { ok: boolean; detail: string };
  /** Errors that nobody expected. */
  reported: unknown[];
  /** Runs wait in front of this step until it is let go. */
  hold(step: Step): Gate;
  /** Has this step fail with the error until it is taken back. */
  fail(step: Step, error: Error): () => void;
  startWorker(events?: EventsPort): Promise<{ stop(): Promise<void> }>;
  /** A second API, for example with other times. */
  listen(options: Partial<ApiOptions>): Promise<string>;
  request(path: string, init?: RequestInit & { token?: string | null }): Promise<Response>;
  ask(
    question: unknown,
    init?: { headers?: Record<string, string>; token?: string; policy?: string },
  ): Promise<Response>;
  close(): Promise<void>;
}

type Step = keyof AnswerActivities | keyof IngestionActivities;

export interface Gate {
  /** Settles when a run has come to the step. */
  reached: Promise<void>;
  release(): void;
}

interface HouseOptions {
  /** An index, a parser and the steps of ingestion are real, too; embeddings are not. */
  documents?: boolean;
  /** Beside the shipped ones. */
  policies?: Policy[];
  /** What the corpus holds. */
  script?: Script;
}

export async function openApiHouse({
  documents = false,
  policies = [],
  script = { search: () => [{ id: 'p1', score: 0.9 }] },
}: HouseOptions = {}): Promise<ApiHouse> {
  quietRuntime();
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-api-'));
  const [path, workflowCode] = await Promise.all([quietTemporalCli(), bundle()]);
  const env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      extraArgs: [
        ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
        ...Object.entries(attributeTypes()).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
      ],
    },
  });
  const principalsFile = join(folder, 'principals.json');
  await writeFile(principalsFile, JSON.stringify(Object.values(people)));
  const principals = await loadPrincipals({ dataDir: folder, file: principalsFile });
  const events = countedEvents();
  const spoolDir = join(folder, 'spool');
  const audit = createAuditFiles(join(folder, 'audit'));
  const plumbline = new PlumblineClient({
    client: env.client,
    policies: new Map([...(await loadPolicies()), ...policies.map((policy) => [policy.name, policy] as const)]),
    uiUrl: 'http://ui.invalid',
    audit,
    ...(documents ? { spoolDir } : {}),
  });
  const ingestion = documents ? await openIngestion(folder, spoolDir) : null;
  const gates = new Map<string, { promise: Promise<void>; reached: () => void }>();
  const faults = new Map<string, Error>();
  const reported: unknown[] = [];
  const indexHealth = { ok: true, detail: 'scripted' };
  const servers: Server[] = [];

  const listen = async (options: Partial<ApiOptions>) => {
    const app = createApi({
      plumbline,
      events,
      index: ingestion?.index ?? ({ health: () => Promise.resolve(indexHealth) } as IndexPort),
      principals,
      version: '9.9.9',
      report: (error) => reported.push(error),
      ...options,
    });
    const server = createServer(app);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  const startWorker = async (to: EventsPort = events) => {
    const sinks: InjectedSinks<EventSinks> = {
      events: { publish: { fn: ({ workflowId }, event) => to.publish(workflowId, event), callDuringReplay: false } },
    };
    const { activities } = scriptedSteps(script);
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: defaultTaskQueue,
      workflowBundle: workflowCode,
      activities: guarded({ ...activities, ...(ingestion && createIngestionActivities(ingestion)) }, async (step) => {
        const gate = gates.get(step);
        gate?.reached();
        await gate?.promise;
        const fault = faults.get(step);
        if (fault) throw fault;
      }),
      sinks,
    });
    const running = worker.run();
    return {
      stop: async () => {
        worker.shutdown();
        await running;
      },
    };
  };

  const url = await listen({});
  const house: ApiHouse = {
    url,
    token: principals.token,
    env,
    plumbline,
    audit,
    events,
    principals,
    principalsFile,
    folder,
    indexHealth,
    reported,
    hold: (step) => {
      const { promise, resolve: release } = Promise.withResolvers<void>();
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      gates.set(step, { promise, reached: resolve });
      return {
        reached,
        release: () => {
          gates.delete(step);
          release();
        },
      };
    },
    fail: (step, error) => {
      faults.set(step, error);
      return () => faults.delete(step);
    },
    startWorker,
    listen,
    request: (path, { token = principals.token, ...init } = {}) =>
      fetch(path.startsWith('http') ? path : url + path, {
        ...init,
        headers: {
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(init.headers as Record<string, string>),
        },
      }),
    ask: (question, { headers = {}, policy, ...init } = {}) =>
      house.request('/v1/questions', {
        ...init,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ question, ...(policy === undefined ? {} : { policy }) }),
      }),
    close: async () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      await env.teardown();
      await ingestion?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return house;
}

/** The events port, counting who listens. */
export function countedEvents(): EventsPort & { listeners(): number } {
  const port = createInProcessEvents();
  let listeners = 0;
  return {
    ...port,
    subscribe: (workflowId, listener) => {
      listeners++;
      const unsubscribe = port.subscribe(workflowId, listener);
      return () => {
        listeners--;
        unsubscribe();
      };
    },
    listeners: () => listeners,
  };
}

async function openIngestion(folder: string, spoolDir: string): Promise<IngestionDeps & { close(): Promise<void> }> {
  const index = await createEmbeddedIndex({ file: join(folder, 'index.db'), dimensions });
  const parser = createDocumentParser(limits, { processes: 1 });
  return {
    index,
    parser,
    spoolDir,
    embedding: fakeEmbedding(),
    close: async () => {
      await parser.close();
      await index.close();
    },
  };
}

function guarded<A extends object>(activities: A, before: (step: string) => Promise<void>): A {
  const wrapped = Object.entries(activities).map(([step, run]) => [
    step,
    async (input: never) => {
      await before(step);
      return (run as (input: never) => Promise<unknown>)(input);
    },
  ]);
  return Object.fromEntries(wrapped) as A;
}
