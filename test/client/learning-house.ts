import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Client } from '@temporalio/client';
import { createAuditFiles } from '../../adapters/store/audit/file.ts';
import { createInProcessEvents } from '../../adapters/store/in-process-events.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import type { AuditLog } from '../../adapters/store/port.ts';
import { loadPrincipals } from '../../api/principals.ts';
import type { PlumblineClient } from '../../client/plumbline-client.ts';
import type { QuestionView } from '../../client/question-view.ts';
import type { Access } from '../../domain/contracts/access.ts';
import type { ReviewDecision } from '../../domain/contracts/review.ts';
import { startApi } from '../../launcher/api-server.ts';
import { Closers } from '../../launcher/closers.ts';
import { openWorkerAdapters } from '../../launcher/open-adapters.ts';
import { openPolicies } from '../../launcher/policies.ts';
import { runWorker } from '../../launcher/run-worker.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { bundle } from '../support/question-runs.ts';
import { devServer, quietRuntime } from '../support/servers.ts';

const person = (user: string, groups: string[], roles: ('reviewer' | 'operator')[] = []) => ({
  token: `the-token-of-${user}`,
  tenant: 'main',
  user,
  groups,
  roles,
});
export const people = {
  /** May read everything, and decide. */
  ann: person('ann', ['staff', 'finance'], ['reviewer']),
  clerk: person('clerk', ['staff']),
  banker: person('banker', ['finance']),
  both: person('both', ['staff', 'finance']),
  guest: person('guest', []),
  /** Operates the house. */
  boss: person('boss', ['staff'], ['operator']),
};
type Person = (typeof people)[keyof typeof people];

/** The whole product in this process: a real Temporal server, the embedded index, the local model, worker and API. */
export interface LearningHouse {
  url: string;
  plumbline: PlumblineClient;
  index: IndexPort;
  audit: AuditLog;
  spoolDir: string;
  temporal: Client;
  take(files: Record<string, string>): Promise<void>;
  ask(who: Person, question: string, policy?: 'default' | 'reviewed'): Promise<QuestionView>;
  /** Has ann decide on a waiting question, and waits for its end. */
  decide(id: string, decision: ReviewDecision): Promise<QuestionView>;
  request(who: Person, path: string, init?: { method?: string; body?: object }): Promise<Response>;
  close(): Promise<void>;
}

export async function openLearningHouse(): Promise<LearningHouse> {
  quietRuntime();
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-learning-'));
  const [env, workflowCode] = await Promise.all([devServer(), bundle()]);
  const principalsFile = join(folder, 'principals.json');
  await writeFile(principalsFile, JSON.stringify(Object.values(people)));
  const settings = loadSettings({
    ...process.env,
    ELASTICSEARCH_URL: '',
    REDIS_URL: '',
    TEMPORAL_ADDRESS: env.address,
    PLUMBLINE_DATA_DIR: folder,
    PLUMBLINE_PORT: '0',
    PLUMBLINE_PRINCIPALS: principalsFile,
  });
  const closers = new Closers();
  const adapters = await openWorkerAdapters(settings, { closers, log: new PassThrough().resume() });
  const events = createInProcessEvents();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  await runWorker(settings, { adapters, bundle: workflowCode, events, closers, onLost: failed.reject });
  const policies = await openPolicies(settings);
  const principals = await loadPrincipals({ dataDir: folder, file: principalsFile });
  const { index } = adapters;
  const { url, plumbline } = await startApi(settings, { ...adapters, events, policies, principals, closers });
  const spoolDir = join(folder, 'spool');

  const accessOf = ({ tenant, user, groups, roles }: Person): Access => ({ tenant, user, groups, roles });
  const house: LearningHouse = {
    url,
    plumbline,
    index,
    audit: createAuditFiles(settings.auditDir),
    spoolDir,
    temporal: env.client,
    async take(files) {
      const sources = await Promise.all(
        Object.entries(files).map(async ([name, content]) => {
          const path = join(folder, name);
          await writeFile(path, content);
          return { path, name, uri: `file:${name}`, overrides: {} };
        }),
      );
      const { report } = await plumbline.ingest(accessOf(people.ann), { files: sources, operator: true });
      const { counts } = await report();
      if (counts.ready !== sources.length) throw new Error(`only ${counts.ready} documents were taken in`);
    },
    async ask(who, question, policy = 'default') {
      const asked = await plumbline.ask(accessOf(who), { question, policy });
      await asked.viewWithin(30_000);
      return plumbline.outcome(accessOf(who), asked.id);
    },
    async decide(id, decision) {
      const request = { requestId: randomUUID(), round: 1, decision, comment: null };
      await plumbline.reviews.decide(accessOf(people.ann), id, request);
      for (;;) {
        const view = await plumbline.outcome(accessOf(people.ann), id);
        if (view.status !== 'running') return view;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    request: ({ token }, path, { method = 'GET', body } = {}) =>
      fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async close() {
      await closers.closeAll();
      await env.teardown();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return house;
}
