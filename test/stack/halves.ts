import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { StepEvent } from '../../domain/contracts/events.ts';
import { freePort } from '../../launcher/ports.ts';
import { PlumblineProcess } from '../support/plumbline-process.ts';

const root = join(import.meta.dirname, '..', '..');

/** Worker and API as two processes on one data folder, as a person would start them. */
export class Halves {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'plumbline-halves-'));
  readonly url: string;
  readonly workerUrl: string;
  private readonly env: NodeJS.ProcessEnv;
  private readonly started: PlumblineProcess[] = [];

  private constructor({ port, workerPort, env }: { port: number; workerPort: number; env: Record<string, string> }) {
    this.url = `http://127.0.0.1:${port}`;
    this.workerUrl = `http://127.0.0.1:${workerPort}`;
    this.env = {
      ...process.env,
      NO_COLOR: '1',
      PLUMBLINE_DATA_DIR: this.dataDir,
      PLUMBLINE_PORT: String(port),
      PLUMBLINE_WORKER_PORT: String(workerPort),
      ...env,
    };
  }

  static async create(env: Record<string, string>): Promise<Halves> {
    return new Halves({ port: await freePort(), workerPort: await freePort(), env });
  }

  run(args: string[], env: Record<string, string> = {}): PlumblineProcess {
    const child = spawn(process.execPath, [join(root, 'bin', 'plumbline.js'), ...args], {
      env: { ...this.env, ...env },
      cwd: root,
    });
    const started = new PlumblineProcess(child);
    this.started.push(started);
    return started;
  }

  async worker(env: Record<string, string> = {}): Promise<PlumblineProcess> {
    const worker = this.run(['worker'], env);
    await worker.says('for work');
    return worker;
  }

  async api(): Promise<PlumblineProcess> {
    const api = this.run(['api']);
    await api.says('Plumbline serves on');
    return api;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const token = readFileSync(join(this.dataDir, 'owner-token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return fetch(`${this.url}${path}`, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string>) },
    });
  }

  async ask(question: string): Promise<string> {
    const response = await this.fetch('/v1/questions', { method: 'POST', body: JSON.stringify({ question }) });
    if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  }

  /** The events of a run as its stream brings them, until the last. */
  async *events(id: string): AsyncGenerator<StepEvent> {
    const response = await this.fetch(`/v1/questions/${id}/events`);
    if (response.body === null) throw new Error(`${response.status}: no stream`);
    const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data } of frames) yield JSON.parse(data) as StepEvent;
  }

  async remove(): Promise<void> {
    await Promise.all(this.started.map((started) => started.stop('SIGKILL')));
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
