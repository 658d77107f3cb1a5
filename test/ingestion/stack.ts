import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createIngestionActivities } from '../../activities/ingestion/index.ts';
import type { IngestionDeps } from '../../activities/ingestion/index.ts';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { createDocumentParser } from '../../adapters/parsers/index.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { DocumentParser } from '../../adapters/parsers/port.ts';
import type { MetadataOverrides } from '../../domain/contracts/document.ts';
import type { Access } from '../../domain/contracts/access.ts';
import type {
  IngestionOptions,
  IngestionReport,
  IngestionSource,
  SourceFile,
} from '../../domain/contracts/ingestion.ts';
import { quietTemporalCli } from '../support/quiet-temporal.ts';
import type { ingestDocuments } from '../../workflows/ingest-documents.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import { dimensions, fakeEmbedding } from './fake-embedding.ts';
import { limits, workflowsPath } from './settings.ts';

export const options: IngestionOptions = { targetTokens: 120, overlapTokens: 20, parallel: 4, attempts: 3 };

/** A Temporal dev server, the workflow's code and a temporary folder, for one test file. */
export interface Stack {
  env: TestWorkflowEnvironment;
  bundle: WorkflowBundleWithSourceMap;
  folder: string;
  close(): Promise<void>;
}

/** The code of the ingestion alone, unless told otherwise. */
export async function startStack({ workflows = workflowsPath } = {}): Promise<Stack> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-ingestion-'));
  const path = await quietTemporalCli();
  const [env, bundle] = await Promise.all([
    TestWorkflowEnvironment.createLocal({
      server: {
        executable: { type: 'existing-path', path },
        searchAttributes: Object.values(searchAttributes),
        extraArgs: ['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
      },
    }),
    bundleWorkflowCode({ workflowsPath: workflows, logger: new DefaultLogger('ERROR') }),
  ]);
  return {
    env,
    bundle,
    folder,
    async close() {
      await env.teardown();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An index, a parser, a model and a worker, in a folder of their own. */
export interface House extends IngestionDeps {
  taskQueue: string;
  /** A tenant that nothing is known of yet. */
  tenant(): Tenant;
  close(): Promise<void>;
}

export interface Tenant {
  access: Access;
  /** Writes a file into the tenant's folder and tells it as a source. */
  file(name: string, content: string | Uint8Array, overrides?: MetadataOverrides): Promise<SourceFile>;
  start(
    source: IngestionSource,
    over?: Partial<IngestionOptions>,
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof ingestDocuments>>;
  ingest(files: SourceFile[], over?: Partial<IngestionOptions>): Promise<IngestionReport>;
  /** Ids of the documents that the word leg finds, best first. */
  found(text: string, groups?: string[]): Promise<string[]>;
  counts(): Promise<{ documents: number; passages: number }>;
}

interface HouseOptions {
  embedding?: EmbeddingModel;
  /** In place of an embedded one; stays open. */
  index?: IndexPort;
  /** Puts something between the steps and the index. */
  between?: (index: IndexPort) => IndexPort;
  parser?: (parser: DocumentParser) => DocumentParser;
  /** Default: one of its own. */
  taskQueue?: string;
  /** False: the test runs workers of its own. */
  worker?: boolean;
}

export async function openHouse(stack: Stack, over: HouseOptions = {}): Promise<House> {
  const spoolDir = await mkdtemp(join(stack.folder, 'house-'));
  const index = over.index ?? (await createEmbeddedIndex({ file: join(spoolDir, 'index.sqlite'), dimensions }));
  const parser = createDocumentParser(limits, { processes: 2 });
  const deps: IngestionDeps = {
    index: over.between?.(index) ?? index,
    embedding: over.embedding ?? fakeEmbedding(),
    parser: over.parser?.(parser) ?? parser,
    spoolDir,
  };
  const taskQueue = over.taskQueue ?? basename(spoolDir);
  const worker = over.worker === false ? null : await startWorker(stack, taskQueue, deps);
  let tenants = 0;
  return {
    ...deps,
    taskQueue,
    tenant: () => tenantOf({ stack, taskQueue, deps: { ...deps, index } }, `tenant-${++tenants}`),
    async close() {
      await worker?.stop();
      await parser.close();
      if (over.index === undefined) await index.close();
    },
  };
}

function tenantOf(
  { stack, taskQueue, deps }: { stack: Stack; taskQueue: string; deps: IngestionDeps },
  tenant: string,
): Tenant {
  const access = { tenant, user: 'test', groups: [] };
  const { index, spoolDir } = deps;
  const start: Tenant['start'] = (source, over = {}) =>
    stack.env.client.workflow.start<typeof ingestDocuments>('ingestDocuments', {
      taskQueue,
      workflowId: `ingest ${randomUUID()}`,
      args: [{ tenant, user: access.user, source, options: { ...options, ...over } }],
    });
  return {
    access,
    async file(name, content, overrides = {}) {
      const path = join(spoolDir, tenant, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return { path, name, uri: `file:///files/${name}`, overrides };
    },
    start,
    ingest: async (files, over) => (await start({ files }, over)).result(),
    async found(text, groups = []) {
      const query = {
        text,
        identifiers: [],
        vector: null,
        candidates: 20,
        statuses: ['active' as const],
        asOf: '2026-06-01',
      };
      const { bm25 } = await index.search({ ...access, groups }, query);
      return [...new Set(bm25.map(({ documentId }) => documentId))];
    },
    counts: () => index.counts(access),
  };
}

/** Runs a worker until `stop`. */
async function startWorker(stack: Stack, taskQueue: string, deps: IngestionDeps): Promise<{ stop(): Promise<void> }> {
  const worker = await Worker.create({
    connection: stack.env.nativeConnection,
    taskQueue,
    workflowBundle: stack.bundle,
    activities: createIngestionActivities(deps),
    shutdownGraceTime: '5s',
    shutdownForceTime: '20s',
  });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      await running;
    },
  };
}
