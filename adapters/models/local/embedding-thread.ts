import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ModelError } from '../port.ts';
import { dimensions } from './e5.ts';
import type { Role } from './e5.ts';
import { ExitGuard } from './exit-guard.ts';
import type { ModelFiles } from './model-files.ts';
import { fromModelFailure } from './model-failure.ts';
import { forbidTelemetry } from './no-telemetry.ts';
import type { PoolThread } from './embedding-pool.ts';
import type { ThreadReply, ThreadRequest, ThreadStart } from './embedding-thread-main.ts';

type Waiting = { resolve(reply: ThreadReply): void; reject(error: ModelError): void };

/** One worker thread with its own copy of the model. It does one request at a time and lets the process end while it is idle. */
export class EmbeddingThread implements PoolThread {
  readonly #worker: Worker;
  readonly #exit: Promise<unknown>;
  readonly #guard = new ExitGuard();
  #waiting: Waiting | undefined;
  #alive = true;
  #closing = false;

  /** @throws ModelError when the model cannot be loaded. */
  static async start(files: ModelFiles): Promise<EmbeddingThread> {
    forbidTelemetry();
    const thread = new EmbeddingThread(files);
    await thread.#answer();
    return thread;
  }

  private constructor(files: ModelFiles) {
    const workerData: ThreadStart = { files, shared: this.#guard.shared };
    this.#worker = new Worker(new URL('./embedding-thread-main.ts', import.meta.url), {
      workerData,
      name: 'embedding',
      // The thread makes little garbage of its own; a small nursery keeps the memory of the runtime's outputs from piling up.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#exit = once(this.#worker, 'exit').catch(() => undefined);
    this.#worker.on('message', (reply: ThreadReply) => this.#waiting?.resolve(reply));
    this.#worker.on('error', (cause) => this.#end(cause));
    this.#worker.on('exit', () => this.#end(undefined));
    process.on('exit', this.#guard.end);
  }

  get idle(): boolean {
    return this.#alive && !this.#closing && this.#waiting === undefined;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** @throws ModelError; `unavailable` and retryable when the thread has died. */
  async embed(role: Role, texts: string[]): Promise<Float32Array[]> {
    const answer = this.#answer();
    this.#send({ do: 'embed', role, texts });
    const reply = await answer;
    if (reply.is !== 'embedded') throw new TypeError(`unexpected reply ${reply.is} of an embedding thread`);
    return texts.map((_, index) => reply.values.slice(index * dimensions, (index + 1) * dimensions));
  }

  /** Frees the model once the present request is done. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#alive) this.#send({ do: 'close' });
    this.#worker.ref();
    await this.#exit;
  }

  #send(request: ThreadRequest): void {
    this.#worker.postMessage(request);
  }

  async #answer(): Promise<ThreadReply> {
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>();
    this.#waiting = { resolve, reject };
    this.#worker.ref();
    try {
      const reply = await promise;
      if (reply.is === 'failed') throw fromModelFailure(reply.failure);
      return reply;
    } finally {
      this.#waiting = undefined;
      if (!this.#closing) this.#worker.unref();
    }
  }

  #end(cause: unknown): void {
    this.#alive = false;
    process.off('exit', this.#guard.end);
    this.#waiting?.reject(
      new ModelError('unavailable', 'An embedding thread stopped unexpectedly.', { retryable: true, cause }),
    );
  }
}
