import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { z } from 'zod';
import type { Access } from '../domain/contracts/access.ts';
import {
  ingestionOptionsSchema,
  type IngestionOptions,
  type IngestionSource,
  type SourceFile,
} from '../domain/contracts/ingestion.ts';
import { runFiles } from '../domain/ingestion/run-files.ts';
import type { ingestDocuments } from '../workflows/ingest-documents.ts';
import { defaultTaskQueue } from '../workflows/messages.ts';
import { PlumblineError } from './failures.ts';
import { writeManifest } from './ingestion-files.ts';
import { ingestionRun, type IngestionHandle, type StartedIngestion } from './ingestion-run.ts';
import type { RunRef } from './question-view.ts';
import { callTemporal } from './temporal-calls.ts';

/** Files that the workers can read at their paths. */
export interface IngestRequest {
  files: SourceFile[];
  options?: Partial<IngestionOptions>;
  /** Whoever works on this house's own machine may replace any document of the tenant; others only those they may read. */
  operator?: boolean;
  /** From `newIngestionId` with an idempotency key: a repeated request gets the first run. Needs `request`. */
  id?: string;
  /** Hash of what was asked for; the same id with another one is refused. */
  request?: string;
}

interface IngestionsOptions {
  client: Client;
  spoolDir: string | null;
  refOf: (workflowId: string, runId: string) => RunRef;
}

/** Noted with a run: who started it, a hash of the request, and a mark of the very call that started it. */
const memoSchema = z.object({ user: z.string(), request: z.string(), call: z.string() });

/** Longest list that goes into a run's input as it is. */
const filesInInput = 50;

/** The same user and key give the same id; without a key every id is new. */
export function newIngestionId(access: Access, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return randomUUID();
  const named = JSON.stringify(['ingestion', access.tenant, access.user, idempotencyKey]);
  return createHash('sha256').update(named).digest('hex').slice(0, 32);
}

/** Runs that take documents in. */
export class Ingestions {
  private readonly options: IngestionsOptions;

  constructor(options: IngestionsOptions) {
    this.options = options;
  }

  /** Where files sent for this run are to be put; null without a folder shared with the workers. */
  uploadsDir(access: Access, id: string): string | null {
    const { spoolDir } = this.options;
    return spoolDir === null
      ? null
      : join(spoolDir, ...runFiles(ingestionWorkflowId(access.tenant, id)).uploads.split('/'));
  }

  /**
   * Starts a run for files of the asker's tenant.
   * @throws PlumblineError `Ingestion.TooManyFiles` without a shared folder; `Ingestion.KeyReused` when the id came with another request before
   */
  async start(
    access: Access,
    { files, options, operator = false, id = randomUUID(), request = '' }: IngestRequest,
  ): Promise<StartedIngestion> {
    const { client } = this.options;
    const workflowId = ingestionWorkflowId(access.tenant, id);
    const source = await this.source(workflowId, files);
    const memo = { user: access.user, request, call: randomUUID() };
    try {
      await callTemporal(client, () =>
        client.workflow.start<typeof ingestDocuments>('ingestDocuments', {
          workflowId,
          taskQueue: defaultTaskQueue,
          args: [
            {
              tenant: access.tenant,
              user: access.user,
              ...(operator ? {} : { groups: access.groups }),
              source,
              options: ingestionOptionsSchema.parse(options ?? {}),
            },
          ],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: `${files.length} file(s) for ${access.tenant}`,
          memo,
          priority: { fairnessKey: access.tenant },
        }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    const { started, first } = await this.lookUp(access, id);
    if (first.request !== request) {
      throw new PlumblineError(
        'Ingestion.KeyReused',
        'this idempotency key was used for other files before; send a new key',
      );
    }
    return { ...started, fresh: first.call === memo.call };
  }

  /** A run that this user started. @throws PlumblineError `Ingestion.NotFound` */
  async find(access: Access, id: string): Promise<StartedIngestion> {
    return (await this.lookUp(access, id)).started;
  }

  private async lookUp(
    access: Access,
    id: string,
  ): Promise<{ started: StartedIngestion; first: z.infer<typeof memoSchema> }> {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) throw notFound(id);
    const { client, refOf } = this.options;
    const workflowId = ingestionWorkflowId(access.tenant, id);
    const handle: IngestionHandle = client.workflow.getHandle<typeof ingestDocuments>(workflowId);
    try {
      const { runId, memo } = await callTemporal(client, () => handle.describe());
      const first = memoSchema.safeParse(memo).data;
      if (first?.user !== access.user) throw notFound(id);
      return { started: ingestionRun(client, { id, handle, run: refOf(workflowId, runId) }), first };
    } catch (error) {
      throw error instanceof WorkflowNotFoundError ? notFound(id) : error;
    }
  }

  private async source(workflowId: string, files: SourceFile[]): Promise<IngestionSource> {
    if (files.length <= filesInInput) return { files };
    if (this.options.spoolDir === null) {
      throw new PlumblineError(
        'Ingestion.TooManyFiles',
        `more than ${filesInInput} files need a folder shared with the workers`,
      );
    }
    return { manifest: await writeManifest(this.options.spoolDir, workflowId, files) };
  }
}

function ingestionWorkflowId(tenant: string, id: string): string {
  return `ingestion.${tenant}.${id}`;
}

function notFound(id: string): PlumblineError {
  return new PlumblineError('Ingestion.NotFound', `there is no ingestion ${id} that you started`);
}
