import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ModelError } from '../port.ts';
import { ExitGuard } from './exit-guard.ts';
import { fromModelFailure } from './model-failure.ts';
import type { ThreadReply, ThreadRequest, ThreadStart } from './model-thread-main.ts';
import { forbidTelemetry } from './no-telemetry.ts';

type Waiting<Value> = { resolve(reply: ThreadReply<Value>): void; reject(error: ModelError): void };

export interface ModelThreadOptions {
  /** The module that runs in the thread and calls `serveModel`. */
  main: URL;
  /** For its name and for messages: "embedding". */
  name: string;
  /** Given to the module's loader. */
  start: unknown;
}

/** One worker thread with its own copy of a model. It does one request at a time and lets the process end while it is idle. */
export class ModelThread<Request, Value> {
  readonly #worker: Worker;
  readonly #exit: Promise<unknown>;
  readonly #guard = new ExitGuard();
  readonly #name: string;
  #waiting: Waiting<Value> | undefined;
  #alive = true;
  #closing = false;

  /** @throws ModelError when the model cannot be loaded. */
  static async start<Request, Value>(options: ModelThreadOptions): Promise<ModelThread<Request, Value>> {
    forbidTelemetry();
    const thread = new ModelThread<Request, Value>(options);
    await thread.#answer();
    return thread;
  }

  private constructor({ main, name, start }: ModelThreadOptions) {
    const workerData: ThreadStart = { start, shared: this.#guard.shared };
    this.#name = name;
    this.#worker = new Worker(main, {
      workerData,
      name,
      // The thread makes little garbage of its own; a small nursery keeps the memory of the runtime's outputs from piling up.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#exit = once(this.#worker, 'exit').catch(() => undefined);
    this.#worker.on('message', (reply: ThreadReply<Value>) => this.#waiting?.resolve(reply));
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
  async ask(request: Request): Promise<Value> {
    const answer = this.#answer();
    this.#send({ do: 'answer', request });
    const reply = await answer;
    if (reply.is !== 'done') throw new TypeError(`unexpected reply ${reply.is} of a model thread`);
    return reply.value;
  }

  /** Frees the model once the present request is done. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#alive) this.#send({ do: 'close' });
    this.#worker.ref();
    await this.#exit;
  }

  #send(request: ThreadRequest<Request>): void {
    this.#worker.postMessage(request);
  }

  async #answer(): Promise<ThreadReply<Value>> {
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply<Value>>();
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
      new ModelError('unavailable', `The ${this.#name} thread stopped unexpectedly.`, { retryable: true, cause }),
    );
  }
}
