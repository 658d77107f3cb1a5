import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleDescription,
  type ScheduleExecutionActionResult,
  type ScheduleHandle,
  type ScheduleSummary,
} from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { z } from 'zod';
import type { Access } from '../domain/contracts/access.ts';
import { syncOptionsSchema, type SyncInput, type SyncReport } from '../domain/contracts/sync.ts';
import { defaultTaskQueue } from '../workflows/messages.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import type { syncFolder } from '../workflows/sync-folder.ts';
import { PlumblineError, fromTemporal } from './failures.ts';
import { runEnd, type RunEnd } from './run-end.ts';
import { callTemporal } from './temporal-calls.ts';

/** A folder that is kept in sync. */
export interface SyncedFolder {
  folder: string;
  everyMs: number | null;
  paused: boolean;
  /** ISO times; null where Temporal does not tell one (a list lags behind by a second or so). */
  lastStart: string | null;
  nextStart: string | null;
}

/** One synchronisation. */
export interface SyncRun {
  workflowId: string;
  runId: string;
  /** False for one that was under way already. */
  fresh: boolean;
  /** Waits for the end, as long as it takes. */
  end(): Promise<RunEnd<SyncReport>>;
}

export interface SyncRequest {
  /** Absolute, and readable by the workers under this path. */
  folder: string;
  /** Whole seconds, at least one. */
  everyMs: number;
  options?: z.input<typeof syncOptionsSchema>;
}

/** A turn that was missed for longer (Temporal was away) is left out: the next one finds the same. */
const catchupWindow = 60_000;

/** How long a triggered run may take to show up, and how often to look, in ms. */
const startMs = 10_000;
const pollMs = 200;

const memoSchema = z.object({ folder: z.string() });

/** The folders that Temporal Schedules keep in sync, by tenant. Whoever may reach Temporal may have the workers read any folder they can. */
export class Syncs {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /**
   * Has a folder synchronised now and then at each interval. For one that is so already, interval and options are replaced.
   * @throws PlumblineError `Temporal.Unavailable`; ZodError for wrong options
   */
  async add(access: Access, { folder, everyMs, options = {} }: SyncRequest): Promise<'added' | 'replaced'> {
    const { tenant, user } = access;
    const scheduleId = syncScheduleId(tenant, folder);
    const input: SyncInput = { tenant, user, folder, options: syncOptionsSchema.parse(options) };
    const typedSearchAttributes = new TypedSearchAttributes([{ key: searchAttributes.tenant, value: tenant }]);
    const schedule = {
      spec: { intervals: [{ every: everyMs }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
      action: {
        type: 'startWorkflow' as const,
        workflowType: 'syncFolder',
        workflowId: scheduleId,
        taskQueue: defaultTaskQueue,
        args: [input] as [SyncInput],
        staticSummary: folder.slice(0, 120).toWellFormed(),
        typedSearchAttributes,
      },
      typedSearchAttributes,
    };
    const { schedule: schedules } = this.client;
    const handle = schedules.getHandle(scheduleId);
    let done: 'added' | 'replaced' = 'added';
    try {
      await callTemporal(this.client, () =>
        schedules.create<typeof syncFolder>({ ...schedule, scheduleId, memo: { folder } }),
      );
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      done = 'replaced';
      await callTemporal(this.client, () =>
        handle.update<typeof syncFolder>(({ state }) => ({ ...schedule, state: { paused: state.paused } })),
      );
    }
    // Not by the option to trigger on creation: that lets it run beside another.
    await callTemporal(this.client, () => handle.trigger(ScheduleOverlapPolicy.SKIP));
    return done;
  }

  /** The synchronised folders of the asker's tenant, by their paths. @throws PlumblineError `Temporal.Unavailable` */
  list({ tenant }: Access): Promise<SyncedFolder[]> {
    return callTemporal(this.client, async () => {
      const folders: SyncedFolder[] = [];
      // Tenant names are checked words, so they need no escaping.
      const query = `${searchAttributes.tenant.name} = '${tenant}'`;
      for await (const { scheduleId, memo, spec, state, info } of this.client.schedule.list({ query })) {
        const folder = memoSchema.safeParse(memo).data?.folder;
        if (folder === undefined || scheduleId !== syncScheduleId(tenant, folder)) continue;
        folders.push(viewOf({ folder, spec, state, info }));
      }
      return folders.sort((a, b) => (a.folder < b.folder ? -1 : 1));
    });
  }

  /** Null for a folder that is not synchronised. @throws PlumblineError `Temporal.Unavailable` */
  async describe(access: Access, folder: string): Promise<SyncedFolder | null> {
    const found = await this.description(access, folder);
    return found && viewOf({ ...found, folder });
  }

  /**
   * Starts a synchronisation now; `fresh` is false when one is under way, which is then given instead. Null for a folder that is not synchronised.
   * @throws PlumblineError `Temporal.Unavailable`
   */
  async run(access: Access, folder: string): Promise<SyncRun | null> {
    const before = await this.description(access, folder);
    if (before === null) return null;
    const [running] = before.info.runningActions;
    if (running) return this.runOf(running, false);
    const handle = this.handle(access, folder);
    await callTemporal(this.client, () => handle.trigger(ScheduleOverlapPolicy.SKIP));
    const known = new Set(before.info.recentActions.map(({ action }) => action.workflow.firstExecutionRunId));
    for (const giveUpAt = Date.now() + startMs; Date.now() < giveUpAt; await sleep(pollMs)) {
      const { info } = await callTemporal(this.client, () => handle.describe());
      const started = info.recentActions.find(({ action }) => !known.has(action.workflow.firstExecutionRunId));
      if (started) return this.runOf(started.action, true);
    }
    throw new PlumblineError('Temporal.Unavailable', 'Temporal did not start the synchronisation in time', {
      retryAfterSeconds: 5,
    });
  }

  /** Ends the synchronising; documents, and a synchronisation under way, stay. False when there was none. @throws PlumblineError `Temporal.Unavailable` */
  async remove(access: Access, folder: string): Promise<boolean> {
    const handle = this.handle(access, folder);
    return (await unlessMissing(callTemporal(this.client, () => handle.delete().then(() => true)))) ?? false;
  }

  private description(access: Access, folder: string): Promise<ScheduleDescription | null> {
    const handle = this.handle(access, folder);
    return unlessMissing(callTemporal(this.client, () => handle.describe()));
  }

  private handle({ tenant }: Access, folder: string): ScheduleHandle {
    return this.client.schedule.getHandle(syncScheduleId(tenant, folder));
  }

  private runOf({ workflow }: ScheduleExecutionActionResult, fresh: boolean): SyncRun {
    const { workflowId, firstExecutionRunId: runId } = workflow;
    const handle = this.client.workflow.getHandle<typeof syncFolder>(workflowId, runId);
    const end = () => runEnd(handle).catch((error: unknown) => Promise.reject(fromTemporal(error)));
    return { workflowId, runId, fresh, end };
  }
}

function syncScheduleId(tenant: string, folder: string): string {
  return `sync.${tenant}.${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

function viewOf({
  folder,
  spec,
  state,
  info,
}: Pick<ScheduleSummary, 'state' | 'info'> & {
  folder: string;
  spec: ScheduleSummary['spec'] | undefined;
}): SyncedFolder {
  return {
    folder,
    everyMs: spec?.intervals?.[0]?.every ?? null,
    paused: state.paused,
    lastStart: info.recentActions.at(-1)?.takenAt.toISOString() ?? null,
    nextStart: info.nextActionTimes[0]?.toISOString() ?? null,
  };
}

async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}
