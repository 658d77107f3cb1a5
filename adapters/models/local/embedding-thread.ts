import { dimensions } from './e5.ts';
import type { Role } from './e5.ts';
import type { PoolThread } from './embedding-pool.ts';
import type { EmbeddingRequest, EmbeddingValue } from './embedding-thread-main.ts';
import type { ModelFiles } from './model-files.ts';
import { ModelThread } from './model-thread.ts';

/** A thread with the sentence model. */
export class EmbeddingThread implements PoolThread {
  readonly #thread: ModelThread<EmbeddingRequest, EmbeddingValue>;

  /** @throws ModelError when the model cannot be loaded. */
  static async start(files: ModelFiles): Promise<EmbeddingThread> {
    const main = new URL('./embedding-thread-main.ts', import.meta.url);
    return new EmbeddingThread(await ModelThread.start({ main, name: 'embedding', start: files }));
  }

  private constructor(thread: ModelThread<EmbeddingRequest, EmbeddingValue>) {
    this.#thread = thread;
  }

  get idle(): boolean {
    return this.#thread.idle;
  }

  get alive(): boolean {
    return this.#thread.alive;
  }

  /** @throws ModelError; `unavailable` and retryable when the thread has died. */
  async embed(role: Role, texts: string[]): Promise<Float32Array[]> {
    const values = await this.#thread.ask({ role, texts });
    return texts.map((_, index) => values.slice(index * dimensions, (index + 1) * dimensions));
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
