import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ann, ben, clerk, openReviewHouse, type ReviewHouse } from '../api/review-house.ts';
import { plumbline, type CliRun } from './cli-process.ts';

let house: ReviewHouse;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  house = await openReviewHouse();
  worker = await house.api.startWorker();
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});

const as = ({ token }: { token: string }) => ({ env: { PLUMBLINE_URL: house.api.url, PLUMBLINE_TOKEN: token } });
const review = (args: string[], who: { token: string } = ann): Promise<CliRun> =>
  plumbline(['review', ...args], as(who));

describe('plumbline review', () => {
  test('a run that waits for a person tells how to decide; a decision ends it', async () => {
    const question = ['ask', '--policy', 'asks-first', 'What is the late fee?'];
    const asked = await plumbline(question, as({ token: house.api.token }));
    expect(asked.exitCode).toBe(3);
    expect(asked.stderr).toMatch(/\? waits for a reviewer \(abstained\) until \d{4}/);
    const [, id = ''] = /plumbline review show (\S+)/.exec(asked.stdout) ?? [];
    expect(asked.stdout).toContain('No answer yet: a reviewer is asked first.\nopen, round 1, because of: abstained;');

    let list = '';
    while (!list.includes(id)) list = (await review(['list', '--state', 'open'])).stdout;
    expect(list).toMatch(new RegExp(`^${id}  until .* UTC  open +abstained +What is the late fee\\?$`, 'm'));

    expect((await review(['claim', id])).stdout).toMatch(/^claimed by ann, round 1/);
    const taken = await review(['claim', id], ben);
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining('ann is working on it')]);
    expect((await review(['comment', id, 'who', 'knows?'])).exitCode).toBe(0);

    const { stdout } = await review(['show', id]);
    for (const part of [
      'What is the late fee?\nasked by owner, ',
      'claimed by ann, round 1, because of: abstained; until',
      'Without a reviewer abstained\n',
      'Without evidence\n  What is the late fee\n',
      'Evidence\n  0.10 irrelevant Title p1 (no longer there, or not open to you)\nTrail\n',
      'ann commented: who knows?\n',
      `Decide: plumbline review decide ${id} confirm|answer|add-evidence|retry|reject\n`,
    ])
      expect(stdout).toContain(part);

    const decided = await review(['decide', id, 'retry', '--query', 'fee list', '--wait', '--comment', 'try this']);
    expect(decided).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^The late fee is 9. \[1\]\n/) });
    expect(decided.stderr).toMatch(/^Decided. The run searches again.\n.*ann decided: retry/s);
    expect(decided.stderr).not.toContain('analyse');
    const late = await review(['decide', id, 'confirm'], ben);
    expect(late.exitCode).toBe(2);
    expect(late.stderr).toMatch(/The review is over.*ended: answered, after ann decided "retry" at 20/s);
    const over = (await review(['show', id])).stdout;
    expect(over).toContain('over: answered, decided by ann ("retry")');
    expect(over).toContain('refused confirm to ben: Review.Gone: ');
    expect(over).not.toContain('Decide:');
  });

  test('evidence comes from a file, and the outcome as JSON', async () => {
    const id = await house.waiting();
    const file = join(house.api.folder, 'fees.txt');
    await writeFile(file, 'The late fee is 9.');
    const run = await review(['decide', id, 'add-evidence', '--file', file, '--title', 'Fees', '--wait', '--json']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ id, status: 'answered', citations: [{ evidenceId: 'p3' }] });
  });

  test('an answer is refused with what its source does not say, and a repeated call gets the first result', async () => {
    const id = await house.waiting();
    const answer = ['answer', '--source-title', 'Fees', '--source-text', 'The late fee is 9 euros.'];
    const wrong = await review(['decide', id, ...answer, '--text', 'The late fee is 8 euros.']);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/statement 1: .*--vouch/) });
    const right = [
      'decide',
      id,
      ...answer,
      '--text',
      'The late fee is 9 euros.',
      '--request-id',
      'mine',
      '--round',
      '1',
    ];
    const first = await review([...right, '--json']);
    expect(JSON.parse(first.stdout)).toMatchObject({ requestId: 'mine', kind: 'answer', by: 'ann' });
    await house.until(id, 'answered');
    expect((await review([...right, '--json'])).stdout).toBe(first.stdout);
  });

  test('without an answer from a worker, says how to repeat it', async () => {
    const id = await house.waiting();
    await worker.stop();
    const { exitCode, stderr } = await review(['decide', id, 'confirm', '--round', '1']);
    worker = await house.api.startWorker();
    expect(exitCode).toBe(4);
    const [, flags = ''] = /Repeat it with: (--round 1 --request-id \S+)/.exec(stderr) ?? [];
    expect((await review(['decide', id, 'confirm', ...flags.split(' '), '--wait'])).exitCode).toBe(3);
  });

  test.each<[string, string[], RegExp]>([
    ['a flag of another decision', ['decide', 'x', 'confirm', '--hint', 'y'], /--hint does not go with "confirm"/],
    ['an answer without a source', ['decide', 'x', 'answer', '--text', 'y'], /--source-title is needed/],
    ['evidence twice', ['decide', 'x', 'add-evidence', '--url', 'http://x', '--file', 'y'], /one of --text/],
    ['a folder as evidence', ['decide', 'x', 'add-evidence', '--file', tmpdir()], /is a folder\.\n.*Name one file/],
    ['a retry of the same', ['decide', 'x', 'retry'], /the same again would find the same/],
    [
      'a file that is not there',
      ['decide', 'x', 'add-evidence', '--file', '/no/such'],
      /\/no\/such cannot be read: there is no such file/,
    ],
    ['a question nobody knows', ['show', 'unknown'], /No such question/],
  ])('exits 2 for %s', async (_name, args, message) => {
    const { exitCode, stdout, stderr } = await review(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('exits 2 for somebody who is no reviewer, and says what to do', async () => {
    const { exitCode, stderr } = await review(['list'], clerk);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('let an administrator give you the role "reviewer"');
  });
});
