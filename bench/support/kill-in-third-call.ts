import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { documentFolder } from './document-folder.ts';
import { embeddedEnv } from './embedded-env.ts';
import type { PeerScenario, ScriptedProvider } from './peer.ts';

const bin = join(import.meta.dirname, '..', '..', 'bin', 'plumbline.js');
const patienceMs = 90_000;

/**
 * Starts Plumbline as a user would, asks a question that takes four paid calls or more, and asks it again: now its process is killed (-9) while the
 * third call is under way, and started again. @returns the calls of the undisturbed run, and how many more the other one made
 */
export async function killInThirdCall(options: {
  server: ScriptedProvider;
  scenario: PeerScenario;
  env: Record<string, string>;
}): Promise<{ undisturbed: number; repeated: number }> {
  const { server, scenario } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-kill-'));
  const documents = await documentFolder(scenario.documents);
  const env = { ...(await embeddedEnv(dataDir)), ...options.env };
  let running = await up(env);
  try {
    await command(['ingest', documents.folder], env);
    const question = scenario.questions.find(({ kind }) => kind === 'MIDDLING')?.text ?? '';
    const service = await address(env, dataDir);
    await server.reset();
    await outcomeOf(service, await ask(service, question));
    const undisturbed = (await server.stats()).llmCalls;
    if (undisturbed < 4) throw new Error(`the run makes ${undisturbed} calls only`);

    await server.reset();
    const id = await ask(service, question);
    await until(async () => (await server.stats()).llmCalls === 3);
    running.kill('SIGKILL');
    running = await up(env);
    await outcomeOf(service, id);
    return { undisturbed, repeated: (await server.stats()).llmCalls - undisturbed };
  } finally {
    running.kill('SIGTERM');
    await new Promise((resolve) => running.once('exit', resolve));
    await Promise.all([documents.remove(), rm(dataDir, { recursive: true, force: true, maxRetries: 5 })]);
  }
}

interface Service {
  url: string;
  headers: Record<string, string>;
}

async function ask({ url, headers }: Service, question: string): Promise<string> {
  const body = JSON.stringify({ question, policy: 'bench-many-calls' });
  const posted = await fetch(`${url}/v1/questions`, { method: 'POST', headers, body });
  return ((await posted.json()) as { id: string }).id;
}

/** @throws Error when the run did not end in an answer */
async function outcomeOf({ url, headers }: Service, id: string): Promise<void> {
  let status = 'running';
  await until(async () => {
    ({ status } = (await (await fetch(`${url}/v1/questions/${id}`, { headers })).json()) as { status: string });
    return status !== 'running';
  });
  if (status !== 'answered' && status !== 'partially_answered') throw new Error(`the run ended as ${status}`);
}

async function address(env: Record<string, string | undefined>, dataDir: string): Promise<Service> {
  const token = (await readFile(join(dataDir, 'owner-token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { url: `http://127.0.0.1:${env['PLUMBLINE_PORT']}`, headers };
}

/** Resolves when it serves. */
async function up(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [bin, 'up'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Plumbline did not start:\n${said}`);
    return said.includes('Stop with Ctrl-C');
  });
  return child;
}

async function command(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`plumbline ${args[0]} ended with ${String(code)}`);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error('waited too long');
    await pause(20);
  }
}
