import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { Role } from '../../adapters/models/local/e5.ts';
import { EmbeddingPool } from '../../adapters/models/local/embedding-pool.ts';
import type { PoolThread } from '../../adapters/models/local/embedding-pool.ts';
import { ModelError } from '../../adapters/models/port.ts';

type Request = { role: Role; texts: string[]; answer(): void; die(): void };

/** A thread that answers when told to; the vector of a text is its length. */
class ScriptedThread implements PoolThread {
  readonly requests: Request[] = [];
  idle = true;
  alive = true;
  closed = false;

  embed(role: Role, texts: string[]): Promise<Float32Array[]> {
    this.idle = false;
    return new Promise((resolve, reject) => {
      const answer = () => {
        this.idle = true;
        resolve(texts.map((text) => Float32Array.of(text.length)));
      };
      const die = () => {
        this.idle = this.alive = false;
        reject(new ModelError('unavailable', 'died', { retryable: true }));
      };
      this.requests.push({ role, texts, answer, die });
    });
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

function poolOf(threads: number) {
  const all = [new ScriptedThread()];
  const start = jest.fn(() => {
    const thread = new ScriptedThread();
    all.push(thread);
    return Promise.resolve<PoolThread>(thread);
  });
  return { pool: new EmbeddingPool(all[0]!, { start, threads }), all, start };
}

async function answerAll(all: ScriptedThread[]): Promise<void> {
  for (let busy = true; busy;) {
    busy = false;
    for (const thread of all) {
      if (thread.idle || !thread.alive) continue;
      thread.requests.at(-1)!.answer();
      busy = true;
    }
    await settle();
  }
}

const long = (count: number) => Array.from({ length: count }, (_, index) => 'x'.repeat(1000 + index));

describe('the embedding pool', () => {
  test('gives one vector a text in the order of the call, however many threads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (sizes, threads) => {
          const { pool, all } = poolOf(threads);
          const embedded = pool.embed(
            'passage',
            sizes.map((size) => 'x'.repeat(size)),
          );
          await answerAll(all);
          expect((await embedded).map(([first]) => first)).toEqual(sizes);
        },
      ),
    );
  });

  test('asks no thread when there are no texts', async () => {
    const { pool, all } = poolOf(1);
    await expect(pool.embed('passage', [])).resolves.toEqual([]);
    expect(all[0]!.requests).toHaveLength(0);
  });

  test('starts no second thread for questions or a few passages', async () => {
    const { pool, all, start } = poolOf(2);
    const calls = [pool.embed('query', ['q'.repeat(200)]), pool.embed('passage', long(5))];
    await answerAll(all);
    await Promise.all(calls);
    expect(start).not.toHaveBeenCalled();
  });

  test('starts further threads, up to its limit, when much text waits', async () => {
    const { pool, all, start } = poolOf(2);
    const call = pool.embed('passage', long(40));
    await answerAll(all);
    await call;
    expect(start).toHaveBeenCalledTimes(1);
    expect(all[1]!.requests.length).toBeGreaterThan(10);
  });

  test('retires a further thread after a minute without work', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    try {
      const { pool, all } = poolOf(2);
      const call = pool.embed('passage', long(40));
      await answerAll(all);
      await call;
      jest.advanceTimersByTime(59_000);
      expect(all[1]!.closed).toBe(false);
      jest.advanceTimersByTime(2_000);
      expect(all.map(({ closed }) => closed)).toEqual([false, true]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('puts a question before the passages that wait', async () => {
    const { pool, all } = poolOf(1);
    const passages = pool.embed('passage', long(3));
    const question = pool.embed('query', ['why?']);
    await answerAll(all);
    await Promise.all([passages, question]);
    expect(all[0]!.requests.map(({ role }) => role)).toEqual(['passage', 'query', 'passage', 'passage']);
  });

  test('rejects at once with the signal’s reason and does not embed the rest', async () => {
    const { pool, all } = poolOf(1);
    const controller = new AbortController();
    const reason = new Error('the caller left');
    const call = pool.embed('passage', long(5), controller.signal);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await answerAll(all);
    expect(all[0]!.requests).toHaveLength(1);
  });

  test('does not begin when the signal is aborted already', async () => {
    const { pool, all } = poolOf(1);
    await expect(pool.embed('query', ['why?'], AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(all[0]!.requests).toHaveLength(0);
  });

  test('replaces a thread that died; only the call it was working for fails', async () => {
    const { pool, all, start } = poolOf(1);
    const lost = pool.embed('passage', ['lost']);
    const kept = pool.embed('passage', ['kept']);
    all[0]!.requests[0]!.die();
    await expect(lost).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    await settle();
    await answerAll(all);
    await expect(kept).resolves.toHaveLength(1);
    expect(start).toHaveBeenCalledTimes(1);
  });

  test('fails what waits when no thread can be started any more', async () => {
    const first = new ScriptedThread();
    const missing = new ModelError('not_installed', 'gone', { retryable: false });
    const pool = new EmbeddingPool(first, { start: () => Promise.reject(missing), threads: 1 });
    const lost = pool.embed('passage', ['lost']);
    const waiting = pool.embed('passage', ['waiting']);
    first.requests[0]!.die();
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    await expect(waiting).rejects.toBe(missing);
  });

  test('goes on with the threads it has, with a warning, when another cannot be started', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const first = new ScriptedThread();
    const start = jest.fn(() => Promise.reject<PoolThread>(new Error('no memory')));
    const pool = new EmbeddingPool(first, { start, threads: 2 });
    const call = pool.embed('passage', long(40));
    await answerAll([first]);
    await expect(call).resolves.toHaveLength(40);
    expect(start).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test('closing fails what waits, lets the running portion end and frees every thread', async () => {
    const { pool, all } = poolOf(1);
    const running = pool.embed('passage', ['running']);
    const waiting = pool.embed('passage', ['waiting']);
    const closed = pool.close();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    all[0]!.requests[0]!.answer();
    await expect(running).resolves.toHaveLength(1);
    await closed;
    expect(all[0]!.closed).toBe(true);
    await expect(pool.embed('query', ['late'])).rejects.toMatchObject({ code: 'unavailable' });
  });
});
