import { ModelError } from '../port.ts';
import type { Role } from './e5.ts';

/** Embeds one request at a time. A thread that is not alive takes no more. */
export interface PoolThread {
  readonly idle: boolean;
  readonly alive: boolean;
  embed(role: Role, texts: string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Texts of one call that go to a thread in one message. */
type Portion = { call: Call; indexes: number[]; characters: number };
type Call = { role: Role; texts: string[]; vectors: Float32Array[]; left: number; over: boolean; settle: Settle };
type Settle = { resolve(vectors: Float32Array[]): void; reject(reason: unknown): void };

/** Waiting text that pays for another thread: starting one takes as long as embedding about this many characters. */
const charactersWorthAThread = 8000;
/** Small enough that a question never waits long behind a portion, large enough for eight sentences to share a run. */
const charactersPerPortion = 900;
const idleMsBeforeRetiring = 60_000;

export type PoolOptions = {
  start: () => Promise<PoolThread>;
  /** At most, the first included. */
  threads: number;
};

/**
 * Spreads texts over threads. It begins with the one thread it is given and starts more, up to `threads`, only when much text
 * waits; those retire after a minute without work. Questions go before passages.
 */
export class EmbeddingPool {
  readonly #start: () => Promise<PoolThread>;
  readonly #threads: PoolThread[];
  readonly #retirement = new Map<PoolThread, NodeJS.Timeout>();
  readonly #queries: Portion[] = [];
  readonly #passages: Portion[] = [];
  #limit: number;
  #starting: Promise<void> | undefined;
  #closed = false;

  constructor(first: PoolThread, { start, threads }: PoolOptions) {
    this.#threads = [first];
    this.#start = start;
    this.#limit = threads;
  }

  /** One vector a text, in order. Rejects with the signal's reason as soon as it is aborted. @throws ModelError */
  async embed(role: Role, texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    if (texts.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const call: Call = { role, texts, vectors: [], left: texts.length, over: false, settle: { resolve, reject } };
    const abort = () => fail(call, signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    (role === 'query' ? this.#queries : this.#passages).push(...portionsOf(call));
    this.#dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Fails what waits, lets running portions end, frees the models. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { call } of [...this.#queries.splice(0), ...this.#passages.splice(0)]) fail(call, closedError());
    await this.#starting;
    for (const timer of this.#retirement.values()) clearTimeout(timer);
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }

  #dispatch(): void {
    for (const thread of this.#threads.filter(({ alive }) => !alive)) this.#forget(thread);
    for (const thread of this.#threads) {
      if (!thread.idle) continue;
      const portion = next(this.#queries) ?? next(this.#passages);
      if (portion === undefined) return;
      void this.#perform(thread, portion);
    }
    if (this.#wantsThread()) this.#starting = this.#grow();
  }

  async #perform(thread: PoolThread, { call, indexes }: Portion): Promise<void> {
    clearTimeout(this.#retirement.get(thread));
    try {
      const vectors = await thread.embed(
        call.role,
        indexes.map((index) => call.texts[index] ?? ''),
      );
      for (const [at, index] of indexes.entries()) call.vectors[index] = vectors[at] ?? new Float32Array();
      call.left -= indexes.length;
      if (call.left === 0) call.settle.resolve(call.vectors);
    } catch (error) {
      fail(call, error);
    }
    if (thread.alive && thread !== this.#threads[0]) this.#retireLater(thread);
    this.#dispatch();
  }

  #wantsThread(): boolean {
    if (this.#closed || this.#starting !== undefined || this.#threads.length >= this.#limit) return false;
    const waiting = [...this.#queries, ...this.#passages].filter(({ call }) => !call.over);
    if (this.#threads.length === 0) return waiting.length > 0;
    return waiting.reduce((sum, { characters }) => sum + characters, 0) > charactersWorthAThread;
  }

  async #grow(): Promise<void> {
    try {
      const thread = await this.#start();
      this.#threads.push(thread);
      this.#retireLater(thread);
    } catch (error) {
      if (this.#threads.length > 0) {
        // What waits is only later. Another attempt would most likely cost as much and end the same way.
        this.#limit = this.#threads.length;
        process.emitWarning('No further embedding thread could be started; going on with those there are.', {
          detail: String(error),
        });
      } else for (const { call } of [...this.#queries.splice(0), ...this.#passages.splice(0)]) fail(call, error);
    }
    this.#starting = undefined;
    this.#dispatch();
  }

  #retireLater(thread: PoolThread): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#forget(thread);
      void thread.close();
    }, idleMsBeforeRetiring);
    this.#retirement.set(thread, timer.unref());
  }

  #forget(thread: PoolThread): void {
    clearTimeout(this.#retirement.get(thread));
    this.#retirement.delete(thread);
    this.#threads.splice(this.#threads.indexOf(thread), 1);
  }
}

/** Longest texts first, so that the threads end together, and in no other order: whoever shares a run follows from the texts alone. */
function portionsOf(call: Call): Portion[] {
  const order = call.texts
    .map((text, index) => ({ index, text, size: text.length }))
    .sort((a, b) => b.size - a.size || (a.text < b.text ? -1 : 1));
  const portions: Portion[] = [];
  for (const { index, size } of order) {
    const last = portions.at(-1);
    if (last !== undefined && last.characters + size <= charactersPerPortion) {
      last.indexes.push(index);
      last.characters += size;
    } else portions.push({ call, indexes: [index], characters: size });
  }
  return portions;
}

/** The next portion of a call that still wants it. */
function next(queue: Portion[]): Portion | undefined {
  for (;;) {
    const portion = queue.shift();
    if (portion === undefined || !portion.call.over) return portion;
  }
}

function fail(call: Call, reason: unknown): void {
  call.over = true;
  call.settle.reject(reason);
}

function closedError(): ModelError {
  return new ModelError('unavailable', 'The embedding model is closed.', { retryable: true });
}
