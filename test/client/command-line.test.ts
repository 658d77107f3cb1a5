import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { openApiHouse, people, type ApiHouse } from '../api/api-house.ts';
import { plumbline } from './cli-process.ts';

let house: ApiHouse;
let worker: { stop(): Promise<void> };
let env: Record<string, string>;
beforeAll(async () => {
  house = await openApiHouse();
  worker = await house.startWorker();
  env = { PLUMBLINE_URL: house.url, PLUMBLINE_TOKEN: house.token };
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});

const escape = /\u001b/;

describe('plumbline ask', () => {
  test('prints the answer with its citations and quotes, and the steps aside', async () => {
    const { exitCode, stdout, stderr } = await plumbline(['ask', 'What is the late fee?'], { env });
    expect(exitCode).toBe(0);
    expect(stdout).toBe('The late fee is 9. [1]\n\n[1] Fees\n    “The late fee is 9.”\n');
    const steps = ['analyse', 'retrieve', 'grade', 'CORRECT', 'refine', 'generate', 'check-grounding', 'answered'];
    const places = steps.map((step) => stderr.indexOf(step));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(stderr).toContain('http://ui.invalid/namespaces/default/workflows/question.main.');
    expect(stdout + stderr).not.toMatch(escape);
  });

  test('takes a question without quotes, and as it is: what looks like an operator is text', async () => {
    const { exitCode, stdout } = await plumbline(['ask', '--json', '"NOT"', 'AND', '(E-0417/b*)'], { env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ question: '"NOT" AND (E-0417/b*)', status: 'answered' });
  });

  test('with --json prints the outcome and nothing else', async () => {
    const { stdout, stderr } = await plumbline(['ask', '--json', 'What is the late fee?'], { env });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'answered',
      citations: [{ n: 1 }],
      run: { workflowId: expect.any(String) },
    });
  });

  test('exits 3 without an answer, with the reason', async () => {
    const { exitCode, stdout } = await plumbline(['ask', '?'], { env });
    expect(exitCode).toBe(3);
    expect(stdout).toBe(
      'The question is not clear enough.\nThere is no question in this text. Please ask one in words.\n',
    );
  });

  test('exits 1 when the run failed, with the type of the reason', async () => {
    const mend = house.fail('retrieve', ApplicationFailure.nonRetryable('the index is away', 'Index.Unavailable'));
    const { exitCode, stdout } = await plumbline(['ask', 'What is the late fee?'], { env });
    mend();
    expect(exitCode).toBe(1);
    expect(stdout).toBe('The run failed: Index.Unavailable\nthe index is away\n');
  });

  test('a failed run is shown with the model calls that it paid for', async () => {
    const call = { step: 'generate', model: 'openai/large', prompt: 'generate@1.0.0', costUsd: 0.5, ms: 5 };
    const tokens = { inputTokens: 100, cachedInputTokens: 20, cacheWriteTokens: 0, outputTokens: 10, estimated: true };
    const details = [{ calls: [{ ...call, ...tokens }] }];
    const mend = house.fail(
      'generate',
      ApplicationFailure.create({ type: 'Model.Refused', message: 'no', nonRetryable: true, details }),
    );
    const { id } = (await (await house.ask('What is the late fee?', { headers: { Prefer: 'wait=20' } })).json()) as {
      id: string;
    };
    mend();
    const { stdout } = await plumbline(['runs', 'show', id], { env });
    expect(stdout).toContain('The run failed: Model.Refused');
    expect(stdout).toContain(
      'Model calls $0.500000 (estimated)\n  generate openai/large generate@1.0.0 100 tokens in, 10 out (estimated), $0.500000, 5 ms\n',
    );
  });

  test.each<[string, string[], RegExp]>([
    ['no question', ['ask'], /missing required argument/],
    ['a question that is too short', ['ask', 'ab'], /shorter than 3 characters/],
    ['an unknown policy', ['ask', '--policy', 'reckless', 'What is the late fee?'], /known are: .*default/],
    ['an unknown option', ['ask', '--loud', 'What is the late fee?'], /unknown option '--loud'/],
    ['an unknown command', ['answer'], /unknown command 'answer'/],
    ['a wrong status of a subcommand', ['runs', 'list', '--status', 'done'], /Allowed choices/],
    ['a question nobody knows', ['runs', 'show', 'unknown'], /No such question/],
  ])('exits 2 for %s', async (_name, args, message) => {
    const { exitCode, stdout, stderr } = await plumbline(args, { env });
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  });

  test('exits 2 for a token that nobody has, and says what to set', async () => {
    const { exitCode, stderr } = await plumbline(['ask', 'What is the late fee?'], {
      env: { ...env, PLUMBLINE_TOKEN: 'a-token-that-nobody-has' },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('PLUMBLINE_TOKEN');
  });

  test('text of documents cannot give orders to the terminal', async () => {
    const mend = house.fail(
      'retrieve',
      ApplicationFailure.nonRetryable('bad \u001b]0;title\u0007 and \u202e turned', 'Index.Corrupt'),
    );
    const { stdout } = await plumbline(['ask', 'What is the late fee?'], { env });
    mend();
    expect(stdout).toContain('bad  ]0;title  and   turned');
  });
});

describe('without a running Plumbline', () => {
  test('exits 4 and says how to start it, when nothing listens', async () => {
    const { exitCode, stderr } = await plumbline(['ask', 'What is the late fee?'], {
      env: { ...env, PLUMBLINE_URL: 'http://127.0.0.1:9' },
    });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/does not answer at http:\/\/127\.0\.0\.1:9.*\n.*npm start/);
  });

  test('exits 4 and says how to start it, when none runs in the data folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'));
    const { exitCode, stderr } = await plumbline(['runs', 'list'], { env: { PLUMBLINE_DATA_DIR: folder } });
    await rm(folder, { recursive: true });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/not running in .*\n.*npm start/);
  });

  test('exits 2 for a wrong setting, naming it', async () => {
    const { exitCode, stderr } = await plumbline(['runs', 'list'], { env: { PLUMBLINE_PORT: 'many' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('PLUMBLINE_PORT');
  });
});

describe('plumbline runs', () => {
  test('lists runs and shows one with its evidence and times', async () => {
    const asked = await plumbline(['ask', '--json', 'What is the late fee?'], { env });
    const { id } = JSON.parse(asked.stdout) as { id: string };
    let list = '';
    while (!list.includes(id)) list = (await plumbline(['runs', 'list', '--status', 'answered'], { env })).stdout;
    expect(list).toMatch(
      new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  answered +What is the late fee\\?$`, 'm'),
    );
    const shown = await plumbline(['runs', 'show', id], { env });
    expect(shown.exitCode).toBe(0);
    for (const part of [
      'The late fee is 9. [1]',
      'Verdict CORRECT, evidence sufficient',
      '* 0.90 relevant',
      'Title p1',
      'Times analyse',
    ]) {
      expect(shown.stdout).toContain(part);
    }
    const other = await plumbline(['runs', 'show', id], { env: { ...env, PLUMBLINE_TOKEN: people.birch.token } });
    expect(other.exitCode).toBe(2);
  });

  test('shows how far a running one is, and cancels it', async () => {
    const gate = house.hold('generate');
    const { id } = (await (await house.ask('What is the late fee?')).json()) as { id: string };
    await gate.reached;
    expect((await plumbline(['runs', 'show', id], { env })).stdout).toContain('The run still goes on (generate).');
    const cancelled = await plumbline(['runs', 'cancel', id], { env });
    gate.release();
    expect(cancelled).toMatchObject({ exitCode: 0, stdout: '' });
    let shown = '';
    while (!shown.includes('cancelled')) shown = (await plumbline(['runs', 'show', id], { env })).stdout;
    expect(shown).toContain('The run was cancelled.');
  });
});

describe('plumbline', () => {
  test('tells its commands, their examples and the exit codes', async () => {
    const { exitCode, stdout } = await plumbline(['--help']);
    expect(exitCode).toBe(0);
    for (const word of ['up', 'ask', 'ingest', 'runs', 'doctor', 'Exit codes:', '3  ask: no answer'])
      expect(stdout).toContain(word);
    for (const command of [['up'], ['ask'], ['ingest'], ['runs', 'list'], ['runs', 'show'], ['doctor']]) {
      expect((await plumbline([...command, '--help'])).stdout).toMatch(/Examples?:\n {2}/);
    }
  });

  test('hands over to the packaged Node when the running one is too old, with arguments and exit code', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'));
    const older = join(folder, 'older.mjs');
    await writeFile(
      older,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`,
    );
    const run = await plumbline(['ask', '?'], { env, nodeArgs: ['--import', older] });
    await rm(folder, { recursive: true });
    expect(run.exitCode).toBe(3);
    expect(run.stdout).toContain('The question is not clear enough.');
  });
});
