import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './ask-over-http.ts';
import { embeddedEnv } from './embedded-env.ts';

const bin = join(import.meta.dirname, '..', '..', 'bin', 'plumbline.js');

/** `plumbline up` as a process of its own, with the sample corpus, on free ports and a data folder of its own. */
export interface PlumblineUp {
  service: Service;
  /** Of the process that holds worker, API and index. */
  pid: number;
  temporalAddress: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Resolves when it serves. `env`: more settings. */
export async function plumblineUp(env: Record<string, string>): Promise<PlumblineUp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
  const settings = { ...(await embeddedEnv(dataDir)), ...env };
  const child = spawn(process.execPath, [bin, 'up'], { env: settings, stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = async () => {
    await ended(child);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await serves(child);
    const token = (await readFile(join(dataDir, 'owner-token'), 'utf8')).trim();
    return {
      service: { apiUrl: `http://127.0.0.1:${settings.PLUMBLINE_PORT}`, principals: { token } },
      pid: child.pid ?? 0,
      temporalAddress: `127.0.0.1:${settings.PLUMBLINE_TEMPORAL_PORT}`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function serves(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('Stop with Ctrl-C')) {
    if (child.exitCode !== null) throw new Error(`Plumbline did not start:\n${said}`);
    await pause(50);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
