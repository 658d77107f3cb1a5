import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import { IndexError } from '../../adapters/index/port.ts';
import { Ingestions } from '../../client/ingestions.ts';
import { Syncs } from '../../client/syncs.ts';
import { syncOptionsSchema } from '../../domain/contracts/sync.ts';
import { defaultTaskQueue } from '../../workflows/messages.ts';
import type { syncFolder } from '../../workflows/sync-folder.ts';
import { historiesOf } from './histories.ts';
import { openHouse, startStack } from './stack.ts';
import type { House, Stack, Tenant } from './stack.ts';

let stack: Stack;
let house: House;
let tenant: Tenant;
let folder: string;
let beforeParsing: () => Promise<void>;
let beforeDeleting: (id: string) => void;
/** Holds a step until the test, or its end, opens it. */
let gate = closedGate();

beforeAll(async () => {
  stack = await startStack({ workflows: join(import.meta.dirname, '../../workflows/index.ts') });
  house = await openHouse(stack, {
    taskQueue: defaultTaskQueue,
    parser: (parser) => ({
      close: () => parser.close(),
      parse: async (file, signal) => {
        await beforeParsing();
        return parser.parse(file, signal);
      },
    }),
    between: (index) =>
      new Proxy(index, {
        get: (target, name) => {
          if (name === 'deleteDocument')
            return (owner: string, id: string) => {
              beforeDeleting(id);
              return target.deleteDocument(owner, id);
            };
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
  });
}, 120_000);
afterAll(async () => {
  gate.open();
  await house?.close();
  await stack?.close();
});
beforeEach(async () => {
  tenant = house.tenant();
  folder = join(house.spoolDir, tenant.access.tenant);
  gate.open();
  gate = closedGate();
  beforeParsing = () => Promise.resolve();
  beforeDeleting = () => undefined;
  await tenant.file('fees.md', '# Fees\n\nThe fee for late payment is 12 %.\n');
  await tenant.file('deep/floor.md', '# Floor\n\nThe floor plan hangs in the hall.\n');
});

interface Over {
  at?: string;
  prefix?: string;
}

const start = ({ at = folder, prefix = '' }: Over = {}) =>
  stack.env.client.workflow.start<typeof syncFolder>('syncFolder', {
    taskQueue: house.taskQueue,
    workflowId: `sync ${randomUUID()}`,
    args: [{ tenant: tenant.access.tenant, user: 'test', folder: at, options: syncOptionsSchema.parse({ prefix }) }],
  });
const sync = async (over?: Over) => (await start(over)).result();
const failure = (type: string) => expect.objectContaining({ cause: expect.objectContaining({ type }) as unknown });
const ids = async () => {
  const documents = await house.index.listDocuments(tenant.access, { limit: 100 });
  return documents.map(({ documentId }) => documentId).sort();
};
const none = { added: 0, changed: 0, unchanged: 0, failed: 0, deleted: 0 };

/** The one file in which the tenant's synchronisations are noted. */
async function stateFile(): Promise<string> {
  const syncs = join(house.spoolDir, 'syncs');
  for (const name of await readdir(syncs)) {
    for (const file of await readdir(join(syncs, name))) {
      const path = join(syncs, name, file);
      if ((JSON.parse(await readFile(path, 'utf8')) as { folder: string }).folder === folder) return path;
    }
  }
  throw new Error('nothing is noted of the folder');
}

describe('a folder', () => {
  test('is taken in; then what is new, changed, deleted and renamed follows', async () => {
    const first = await sync();
    expect(first.counts).toEqual({ ...none, added: 2 });
    expect(await ids()).toEqual(['deep/floor.md', 'fees.md']);
    expect((await sync()).counts).toEqual({ ...none, unchanged: 2 });

    await tenant.file('fees.md', '# Fees\n\nThe fee for late payment is 15 %.\n');
    await tenant.file('new.md', '# New\n\nThe canteen opens at noon.\n');
    await rename(join(folder, 'deep/floor.md'), join(folder, 'deep/plan.md'));
    const second = await sync();
    expect(second).toMatchObject({ counts: { ...none, added: 2, changed: 1, deleted: 1 }, deleted: ['deep/floor.md'] });
    expect(await ids()).toEqual(['deep/plan.md', 'fees.md', 'new.md']);
    expect(await house.index.documentText(tenant.access, 'fees.md')).toContain('15 %');
    expect(await tenant.found('floor plan')).toEqual(['deep/plan.md']);

    await rm(join(folder, 'new.md'));
    expect(await sync()).toMatchObject({ counts: { ...none, unchanged: 2, deleted: 1 }, deleted: ['new.md'] });
    expect(await tenant.found('canteen')).toEqual([]);
  });

  test('that was emptied loses all its documents', async () => {
    await sync();
    await rm(join(folder, 'deep'), { recursive: true });
    await rm(join(folder, 'fees.md'));
    expect(await sync()).toMatchObject({ counts: { ...none, deleted: 2 }, ingestion: null });
    expect(await ids()).toEqual([]);
  });

  test('keeps of its runs only the files of the last that went through', async () => {
    const runs = async () =>
      (await readdir(join(house.spoolDir, 'ingestions'))).filter((name) => !name.startsWith('.'));
    const before = await runs();
    await sync();
    await sync();
    const { ingestion } = await sync();
    expect((await runs()).filter((name) => !before.includes(name))).toEqual([ingestion?.replaceAll('.', '%2E')]);
  });

  test('has a run whose report the user can look up as of any ingestion', async () => {
    const { ingestion } = await sync();
    const ingestions = new Ingestions({
      client: stack.env.client,
      spoolDir: null,
      refOf: (workflowId, runId) => ({ workflowId, runId, url: null }),
    });
    const view = await (await ingestions.find(tenant.access, ingestion?.split('.').at(-1) ?? '')).view();
    expect(view.report?.counts.ready).toBe(2);
  });

  test('leaves a history that replays with the present code', async () => {
    const handle = await start();
    await handle.result();
    const [history] = await historiesOf(stack.env.client.workflow, handle.workflowId, handle.firstExecutionRunId);
    expect(history?.events).toBeLessThan(60);
    await Worker.runReplayHistory({ workflowBundle: stack.bundle }, history?.json, handle.workflowId);
  });

  test('leaves documents alone that came in by another way', async () => {
    const other = await tenant.file('elsewhere.md', 'Something else.\n');
    await tenant.ingest([other]);
    await rm(other.path);
    await sync();
    expect((await sync()).counts.deleted).toBe(0);
    expect(await ids()).toContain('elsewhere.md');
  });
});

describe('nothing is deleted', () => {
  beforeEach(async () => {
    await sync();
  });
  afterEach(async () => {
    expect(await ids()).toEqual(['deep/floor.md', 'fees.md']);
    expect(await tenant.found('late payment')).toEqual(['fees.md']);
  });

  test('when the folder is not there, or is a file', async () => {
    await rm(folder, { recursive: true });
    await expect(sync()).rejects.toEqual(failure('Sync.FolderUnavailable'));
    await writeFile(folder, 'text');
    await expect(sync()).rejects.toEqual(failure('Sync.FolderUnavailable'));
    await rm(folder);
  });

  test('when the file system that was mounted there leaves an empty folder behind', async () => {
    const path = await stateFile();
    const state = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...state, mounts: [''] }));
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await expect(sync()).rejects.toEqual(failure('Sync.FolderUnavailable'));
  });

  test('below a folder whose file system is not mounted any more', async () => {
    const path = await stateFile();
    const state = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...state, mounts: ['deep'] }));
    await rm(join(folder, 'deep/floor.md'));
    for (let turn = 0; turn < 2; turn++)
      expect(await sync()).toMatchObject({ counts: { ...none, unchanged: 1 }, unreadable: ['deep'] });
  });

  test('of a file that cannot be taken in any more, or not be looked at', async () => {
    await tenant.file('fees.md', '---\ngroups: hr\n---\nText.');
    await rm(join(folder, 'deep/floor.md'));
    await symlink(join(folder, 'nowhere'), join(folder, 'deep/floor.md'));
    expect(await sync()).toMatchObject({ counts: { ...none, failed: 1 }, unreadable: ['deep/floor.md'] });
    await tenant.file('fees.md', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    expect((await sync()).counts).toEqual({ ...none, failed: 1 });
  });

  // The super-user may read everything.
  const unlessRoot = process.getuid?.() === 0 ? test.skip : test;
  unlessRoot('of a folder below that cannot be read', async () => {
    await chmod(join(folder, 'deep'), 0);
    expect(await sync()).toMatchObject({ counts: { ...none, unchanged: 1 }, unreadable: ['deep'] });
    await chmod(join(folder, 'deep'), 0o700);
  });

  test('when what was noted of the folder is damaged', async () => {
    await writeFile(await stateFile(), '{"folder": "');
    await rm(join(folder, 'fees.md'));
    await expect(sync()).rejects.toEqual(failure('Sync.BadState'));
  });
});

describe('rights and ids', () => {
  test('a sidecar that changes takes effect', async () => {
    await sync();
    await tenant.file('fees.md.meta.json', JSON.stringify({ groups: ['finance'] }));
    expect((await sync()).counts).toEqual({ ...none, unchanged: 2 });
    expect(await tenant.found('late payment')).toEqual([]);
    expect(await tenant.found('late payment', ['finance'])).toEqual(['fees.md']);
  });

  test('a file with an id of its own keeps its document under another name', async () => {
    await tenant.file('a.md', '---\nid: rules\ntitle: Rules\n---\nNo smoking.\n');
    await sync();
    await rename(join(folder, 'a.md'), join(folder, 'b.md'));
    expect((await sync()).counts).toEqual({ ...none, unchanged: 3 });
    await tenant.file('b.md', '---\nid: house-rules\n---\nNo smoking.\n');
    expect(await sync()).toMatchObject({ counts: { ...none, unchanged: 2, added: 1, deleted: 1 }, deleted: ['rules'] });
    expect(await ids()).toContain('house-rules');
  });

  test('a document that another folder of the tenant holds, too, stays with that one', async () => {
    const other = join(house.spoolDir, `${tenant.access.tenant}-other`);
    await mkdir(other);
    await writeFile(join(other, 'fees.md'), '# Fees\n\nThe fee for late payment is 12 %.\n');
    await sync();
    await sync({ at: other });
    await rm(join(folder, 'fees.md'));
    expect((await sync()).counts).toEqual({ ...none, unchanged: 1 });
    expect(await ids()).toContain('fees.md');
    await rm(join(other, 'fees.md'));
    expect((await sync({ at: other })).deleted).toEqual(['fees.md']);
  });

  test('a prefix keeps the files of two folders apart; another one renames the documents', async () => {
    await sync({ prefix: 'a/b' });
    expect(await ids()).toEqual(['a/b/deep/floor.md', 'a/b/fees.md']);
    expect((await sync({ prefix: 'c' })).counts).toEqual({ ...none, added: 2, deleted: 2 });
    expect(await ids()).toEqual(['c/deep/floor.md', 'c/fees.md']);
  });
});

describe('a synchronisation that does not come to its end', () => {
  test('because the index refuses to delete is made good by the next one, which also knows what came in', async () => {
    await sync();
    await rm(join(folder, 'fees.md'));
    await tenant.file('new.md', 'The canteen opens at noon.\n');
    beforeDeleting = () => {
      throw new IndexError('corrupt', 'no', { retryable: false });
    };
    await expect(sync()).rejects.toEqual(failure('Index.Corrupt'));
    beforeDeleting = () => undefined;
    await rm(join(folder, 'new.md'));
    expect((await sync()).deleted.sort()).toEqual(['fees.md', 'new.md']);
  });

  test('because it is cancelled deletes nothing, and knows what came in', async () => {
    await rm(join(folder, 'deep'), { recursive: true });
    await sync();
    await rm(join(folder, 'fees.md'));
    await tenant.file('b.md', 'The second text.\n');
    await tenant.file('a.md', 'The first text.\n');
    let waiting = 0;
    beforeParsing = () => (++waiting === 1 ? Promise.resolve() : gate.opened);
    const handle = await start();
    await until(async () => (await ids()).length === 2);
    await handle.cancel();
    gate.open();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(await ids()).toHaveLength(2);
    beforeParsing = () => Promise.resolve();
    await rm(join(folder, 'a.md'));
    await rm(join(folder, 'b.md'));
    expect((await sync()).counts.deleted).toBe(2);
  });
});

describe('a Schedule', () => {
  let syncs: Syncs;
  beforeEach(() => {
    syncs = new Syncs(stack.env.client);
  });
  const schedule = async () => {
    for await (const { scheduleId } of stack.env.client.schedule.list())
      if (scheduleId.startsWith(`sync.${tenant.access.tenant}.`))
        return stack.env.client.schedule.getHandle(scheduleId);
    throw new Error('there is no schedule');
  };

  test('synchronises at once, on call and again and again, until it is removed; the documents stay', async () => {
    expect(await syncs.add(tenant.access, { folder, everyMs: 3_600_000 })).toBe('added');
    await until(async () => (await ids()).length === 2);
    await tenant.file('new.md', 'The canteen opens at noon.\n');
    const run = await until(async () => {
      const found = await syncs.run(tenant.access, folder);
      return found?.fresh ? found : null;
    });
    expect(await run.end()).toMatchObject({ status: 'ended', result: { counts: { ...none, added: 1, unchanged: 2 } } });

    expect(await syncs.add(tenant.access, { folder, everyMs: 1000, options: { prefix: 'x' } })).toBe('replaced');
    await until(async () => (await ids()).every((id) => id.startsWith('x/')));
    await rm(join(folder, 'new.md'));
    await until(async () => (await ids()).length === 2);
    expect(await syncs.describe(tenant.access, folder)).toMatchObject({ folder, everyMs: 1000, paused: false });
    await until(async () => (await syncs.list(tenant.access)).length === 1);
    expect(await syncs.list({ ...tenant.access, tenant: 'stranger' })).toEqual([]);

    expect(await syncs.remove({ ...tenant.access, tenant: 'stranger' }, folder)).toBe(false);
    expect(await syncs.remove(tenant.access, folder)).toBe(true);
    expect(await syncs.remove(tenant.access, folder)).toBe(false);
    expect(await syncs.describe(tenant.access, folder)).toBeNull();
    expect(await syncs.run(tenant.access, folder)).toBeNull();
    expect(await ids()).toEqual(['x/deep/floor.md', 'x/fees.md']);
  });

  test('leaves out its turns while a synchronisation goes on; a call gets the one under way', async () => {
    beforeParsing = () => gate.opened;
    await syncs.add(tenant.access, { folder, everyMs: 1000 });
    const handle = await until(() => schedule().catch(() => null));
    const { info } = await until(async () => {
      const description = await handle.describe();
      return description.info.numActionsSkippedOverlap >= 2 ? description : null;
    });
    expect(info.numActionsTaken).toBe(1);
    const run = await syncs.run(tenant.access, folder);
    expect(run).toMatchObject({ fresh: false, runId: info.runningActions[0]?.workflow.firstExecutionRunId });
    await syncs.remove(tenant.access, folder);
    gate.open();
    expect(await run?.end()).toMatchObject({ status: 'ended', result: { counts: { ...none, added: 2 } } });
  });
});

/** What the look gives, once it gives something. */
async function until<T>(look: () => Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await sleep(100);
  }
}

function closedGate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
