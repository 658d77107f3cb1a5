/**
 * Memory of Plumbline as a user runs it: `plumbline up` as a process of its own, the sample corpus in its index, a hundred questions at once.
 * The Temporal server is not counted.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createReport } from './report.ts';
import { askOverHttp } from './support/ask-over-http.ts';
import { embeddedEnv } from './support/embedded-env.ts';
import { residentMegabytes } from './support/process-memory.ts';
import { sampleQuestions } from './support/sample-questions.ts';

const bin = join(import.meta.dirname, '..', 'bin', 'plumbline.js');
const atOnce = 100;

const report = createReport('memory');
const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const env = await embeddedEnv(dataDir);

/** Starts the service and waits until it has done all that a start does; `peak` is the most memory seen meanwhile, in MB. */
async function start(): Promise<{ child: ChildProcess; pid: number; peak: number }> {
  const child = spawn(process.execPath, [bin, 'up'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const { pid } = child;
  if (pid === undefined) throw new Error('the service could not be started');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  let peak = 0;
  while (!said.includes('Ctrl-C')) {
    if (child.exitCode !== null) throw new Error(`the service ended before it served:\n${said}`);
    peak = Math.max(peak, residentMegabytes(pid));
    await pause(50);
  }
  return { child, pid, peak };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

try {
  const first = await start();
  report.add('first start, most while the samples are taken in, parsers included, MB', first.peak, 'reported');
  await stop(first.child);
  const { child, pid } = await start();
  try {
    report.add('serving with the sample corpus, before any question, MB', residentMegabytes(pid), { atMost: 700 });
    const service = {
      apiUrl: `http://127.0.0.1:${env.PLUMBLINE_PORT}`,
      principals: { token: (await readFile(join(dataDir, 'owner-token'), 'utf8')).trim() },
    };
    const questions = await sampleQuestions();
    const crowd = Array.from({ length: atOnce }, (_, at) => questions[at % questions.length] ?? '');
    await Promise.all(crowd.map((question) => askOverHttp(service, question)));
    report.add(`worker, API and index after ${atOnce} questions at once, MB`, residentMegabytes(pid), { atMost: 700 });
  } finally {
    await stop(child);
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
await report.finish();
