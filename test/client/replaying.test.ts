import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ReplayReport } from '../../domain/contracts/replay.ts';
import { openApiHouse, people, type ApiHouse } from '../api/api-house.ts';
import { plumbline } from './cli-process.ts';

const histories = join(import.meta.dirname, '..', 'histories');
const answered = join(histories, 'answered.json');

let house: ApiHouse;
let worker: { stop(): Promise<void> };
let folder: string;
let env: Record<string, string>;
const replay = (...args: string[]) => plumbline(['runs', 'replay', ...args], { env });
beforeAll(async () => {
  house = await openApiHouse();
  worker = await house.startWorker();
  folder = await mkdtemp(join(tmpdir(), 'plumbline-replaying-'));
  env = {
    PLUMBLINE_DATA_DIR: folder,
    PLUMBLINE_URL: house.url,
    PLUMBLINE_TOKEN: house.token,
    TEMPORAL_ADDRESS: house.env.address,
  };
});
afterAll(async () => {
  await worker.stop();
  await house.close();
  await rm(folder, { recursive: true, force: true });
});

/** A recorded history in which another step stands where a rewrite was. */
async function divergedFile(): Promise<string> {
  const path = join(folder, 'diverged.json');
  const text = await readFile(join(histories, 'answered-after-rewrite.json'), 'utf8');
  await writeFile(path, text.replace('"name": "rewrite"', '"name": "searchWeb"'));
  return path;
}

describe('plumbline runs replay', () => {
  test('replays files without any server, a line each', async () => {
    const rewritten = join(histories, 'answered-after-rewrite.json');
    const { exitCode, stdout, stderr } = await plumbline(['runs', 'replay', answered, rewritten], {
      env: { PLUMBLINE_DATA_DIR: folder },
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`✓ ${answered}  answerQuestion, 22 events\n✓ ${rewritten}  answerQuestion, 35 events\n`);
  });

  test('exits 1 where one parts from the code, says where, and goes on with the others', async () => {
    const diverged = await divergedFile();
    const { exitCode, stdout, stderr } = await replay(diverged, answered);
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout.split('\n')).toEqual([
      expect.stringContaining(`✗ ${diverged}  answerQuestion, 35 events`),
      expect.stringMatching(
        /^ {2}at event \d+ the history has the step search-web; the code comes to the step rewrite$/,
      ),
      expect.stringContaining('Nondeterminism error'),
      expect.stringContaining(`✓ ${answered}`),
      '',
    ]);
  });

  test('with --json prints a report for each and nothing else', async () => {
    const { exitCode, stdout } = await replay('--json', await divergedFile(), answered);
    expect(exitCode).toBe(1);
    const entries = JSON.parse(stdout) as { source: string; report: ReplayReport }[];
    expect(entries.map(({ report }) => report.ok)).toEqual([false, true]);
    expect(entries[0]?.report.divergence).toMatchObject({ step: 'search-web', found: 'the step rewrite' });
  });

  test('replays a run by its id, and saves its history for another time', async () => {
    const { id } = (await (await house.ask('What is the late fee?', { headers: { Prefer: 'wait=20' } })).json()) as {
      id: string;
    };
    const saved = join(folder, 'saved.json');
    const { exitCode, stdout, stderr } = await replay(id, '--save', saved);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`Wrote ${saved}.`)]);
    expect(stdout).toMatch(new RegExp(`^✓ ${id}  answerQuestion, \\d+ events\n$`));
    const again = await replay('--json', saved);
    expect(JSON.parse(again.stdout)).toMatchObject([{ report: { workflowId: `question.main.${id}`, ok: true } }]);

    const nowhere = await replay(id, '--save', join(folder, 'none', 'run.json'));
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([
      2,
      expect.stringMatching(/run\.json cannot be written: there is no such file or folder\.\n.*a folder that is there/),
    ]);
  });

  test("refuses what is no history, no file and no run of one's own", async () => {
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{"events": [');
    const one = await replay(broken, answered);
    expect(one.exitCode).toBe(2);
    expect(one.stdout).toContain(`? ${broken}  ${broken} cannot be replayed: it is not JSON.`);
    expect(one.stdout).toContain(`✓ ${answered}`);
    await writeFile(broken, '{"events": [{"eventId": "1"}]}');
    expect((await replay(broken)).stdout).toContain('It cannot be replayed: it has something that no history has');

    const missing = await replay(join(folder, 'nowhere.json'));
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('There is no file')]);
    const unknown = await replay('0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d');
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('there is no question 0b1c2d3e')]);
    const two = await replay(answered, '--save', join(folder, 'x.json'));
    expect([two.exitCode, two.stderr]).toEqual([2, expect.stringContaining('--save wants one question')]);

    const { id } = (await (await house.ask('What is the late fee?')).json()) as { id: string };
    const clerk = await plumbline(['runs', 'replay', id], { env: { ...env, PLUMBLINE_TOKEN: people.clerk.token } });
    expect([clerk.exitCode, clerk.stderr]).toEqual([2, expect.stringContaining('you need the role operator')]);
  });
});
