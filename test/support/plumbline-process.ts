import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../launcher/ports.ts';

const bin = join(import.meta.dirname, '..', '..', 'bin', 'plumbline.js');

/** A data folder, ports and principals of their own, for starting Plumbline as a user would. */
export class House {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'plumbline-e2e-'));
  private env: NodeJS.ProcessEnv = {};

  static async create(
    principals: { token: string; tenant: string; user: string; groups: string[] }[] = [],
  ): Promise<House> {
    const house = new House();
    const file = join(house.dataDir, 'principals.json');
    writeFileSync(file, JSON.stringify(principals));
    house.env = {
      ...process.env,
      NO_COLOR: '1',
      PLUMBLINE_DATA_DIR: house.dataDir,
      PLUMBLINE_PRINCIPALS: file,
      PLUMBLINE_PORT: String(await freePort()),
      PLUMBLINE_TEMPORAL_PORT: String(await freePort()),
      PLUMBLINE_TEMPORAL_UI_PORT: String(await freePort()),
    };
    return house;
  }

  get url(): string {
    return `http://127.0.0.1:${this.env['PLUMBLINE_PORT']}`;
  }

  get temporalAddress(): string {
    return `127.0.0.1:${this.env['PLUMBLINE_TEMPORAL_PORT']}`;
  }

  get ownerToken(): string {
    return readFileSync(join(this.dataDir, 'owner-token'), 'utf8').trim();
  }

  /** Starts `plumbline ARGS` with the house's settings. */
  run(args: string[], env: NodeJS.ProcessEnv = {}): PlumblineProcess {
    return new PlumblineProcess(spawn(process.execPath, [bin, ...args], { env: { ...this.env, ...env } }));
  }

  /** Starts `plumbline up` and waits until it has done all of its first start. */
  async up(env: NodeJS.ProcessEnv = {}): Promise<PlumblineProcess> {
    const started = this.run(['up'], env);
    await started.says('Stop with Ctrl-C');
    return started;
  }

  fetch(path: string, init: RequestInit & { token?: string } = {}): Promise<Response> {
    const { token = this.ownerToken, ...rest } = init;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(init.body ? { 'content-type': 'application/json' } : {}),
      ...rest.headers,
    };
    return fetch(`${this.url}${path}`, { ...rest, headers });
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export class PlumblineProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  private readonly exited: Promise<number | null>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  exit(): Promise<number | null> {
    return this.exited;
  }

  /** Resolves when stderr holds the text; rejects when the process ends before. */
  async says(text: string): Promise<void> {
    const ended = this.exited.then((code) => {
      if (!this.stderr.includes(text)) throw new Error(`ended with ${code} before it said "${text}":\n${this.stderr}`);
    });
    const heard = (async () => {
      while (!this.stderr.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
    })();
    await Promise.race([heard, ended]);
  }

  /** @returns the exit code */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

/** Processes started, directly or not, with this text in their command line. */
export function processesWith(text: string): number[] {
  return readProc()
    .filter(({ command }) => command.includes(text))
    .map(({ pid }) => pid);
}

function readProc(): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}
