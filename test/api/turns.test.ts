import { describe, expect, test } from '@jest/globals';
import { Turns, TurnsFull } from '../../api/turns.ts';

const stays = new AbortController().signal;

describe('turns', () => {
  test('come one after another, in order, and a failure takes nobody else his', async () => {
    const turns = new Turns(2);
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = turns.take(async () => {
      log.push('first begins');
      await gate.promise;
      log.push('first ends');
      throw new Error('no luck');
    }, stays);
    const second = turns.take(() => Promise.resolve(log.push('second')), stays);
    gate.resolve();
    await expect(first).rejects.toThrow('no luck');
    expect(await second).toBe(3);
    expect(log).toEqual(['first begins', 'first ends', 'second']);
  });

  test('are refused when too many wait, and there again when one is over', async () => {
    const turns = new Turns(1);
    const gate = Promise.withResolvers<void>();
    const under = turns.take(() => gate.promise, stays);
    const waiting = turns.take(() => Promise.resolve('late'), stays);
    await expect(turns.take(() => Promise.resolve('later'), stays)).rejects.toThrow(TurnsFull);
    gate.resolve();
    await under;
    expect(await waiting).toBe('late');
    expect(await turns.take(() => Promise.resolve('again'), stays)).toBe('again');
  });

  test('pass by whoever has gone', async () => {
    const turns = new Turns(1);
    const gone = AbortSignal.abort();
    expect(await turns.take(() => Promise.reject(new Error('not to be done')), gone)).toBeNull();
  });
});
