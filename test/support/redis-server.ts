import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { freePort } from '../../launcher/ports.ts';

const installed = spawnSync('redis-server', ['--version']).status === 0;

/** Like `describe`, for tests that need a real Redis. Without one they are skipped, and in CI that is a failure. */
export function describeWithRedis(name: string, body: () => void): void {
  if (installed) describe(name, body);
  else if (process.env['CI']) test(`${name}: redis-server must be installed in CI`, () => expectRedis());
  else describe.skip(`${name} (skipped: install redis-server)`, body);
}

function expectRedis(): never {
  throw new Error('redis-server is not on PATH');
}

/** A Redis in memory that wants a password, on a port that stays the same over restarts. */
export class RedisServer {
  readonly port: number;
  readonly password = 'a-password-of-the-test';
  private readonly folder = mkdtempSync(join(tmpdir(), 'plumbline-redis-'));
  private child: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    await this.kill();
    const child = spawn(
      'redis-server',
      ['--port', String(this.port), '--bind', '127.0.0.1', '--requirepass', this.password, '--save', ''],
      { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.child = child;
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('Ready to accept connections')) break;
    }
    child.stdout.resume();
    if (child.exitCode !== null) throw new Error(`redis-server ended:\n${said}`);
  }

  /** As a machine that fails does it. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
