import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createInProcessEvents } from '../../adapters/store/in-process-events.ts';
import { createRedisEvents } from '../../adapters/store/redis-events.ts';
import { describeWithRedis, RedisServer } from '../support/redis-server.ts';
import { event, eventsContract, eventually, seqOf } from './events-contract.ts';

describe('events in one process', () => {
  eventsContract(async () => {
    const events = createInProcessEvents();
    return { publisher: events, reader: events };
  });
});

describeWithRedis('events through Redis', () => {
  let redis: RedisServer;
  const troubles: string[] = [];
  const open = (options: { url?: string; name?: string } = {}) =>
    createRedisEvents({ url: redis.url, name: 'default', onTrouble: (line) => troubles.push(line), ...options });

  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.stop());

  describe('from one process to another', () => {
    eventsContract(async () => ({ publisher: await open(), reader: await open() }));
  });

  describe('within one process', () => {
    eventsContract(async () => {
      const events = await open();
      return { publisher: events, reader: events };
    });
  });

  test('two installations on one Redis do not hear each other', async () => {
    const [publisher, same, other] = [await open(), await open(), await open({ name: 'elsewhere' })];
    const heard: string[] = [];
    same.subscribe('a', (given) => heard.push(`same ${seqOf(given)}`));
    other.subscribe('a', (given) => heard.push(`other ${seqOf(given)}`));
    await eventually(() => {
      publisher.publish('a', event(1));
      expect(heard).toContain('same 1');
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).not.toContain('other 1');
    await Promise.all([publisher, same, other].map((events) => events.close()));
  });

  test('after kill -9 of Redis and its return, listeners hear again; one line tells the outage, one the end', async () => {
    const [publisher, reader] = [await open(), await open()];
    const heard: (number | null)[] = [];
    reader.subscribe('a', (given) => heard.push(seqOf(given)));
    await eventually(() => {
      publisher.publish('a', event(1));
      expect(heard).toContain(1);
    });
    troubles.length = 0;
    await redis.kill();
    await eventually(() => expect(troubles).toHaveLength(2));
    // Nobody waits for what cannot be sent, and nothing is thrown.
    for (let seq = 2; seq < 1000; seq++) publisher.publish('a', event(seq));
    await redis.restart();
    await eventually(() => {
      publisher.publish('a', event(1000));
      expect(heard).toContain(1000);
    }, 15_000);
    expect(heard.filter((seq) => seq !== null && seq > 1 && seq < 1000)).toEqual([]);
    for (const line of troubles) expect(line).not.toContain(redis.password);
    const lost = troubles.filter((line) => line.startsWith('Redis cannot be used'));
    const back = troubles.filter((line) => line === 'Redis is back.');
    expect([lost.length, back.length]).toEqual([2, 2]);
    await Promise.all([publisher.close(), reader.close()]);
  });

  test('a Redis that is not there when the process starts: it starts, says so, and closes at once', async () => {
    troubles.length = 0;
    const started = performance.now();
    const events = await open({ url: 'redis://127.0.0.1:1' });
    events.publish('a', event(1));
    const off = events.subscribe('a', () => undefined);
    off();
    await events.close();
    expect(performance.now() - started).toBeLessThan(4000);
    expect(troubles).toEqual([expect.stringMatching(/^Redis cannot be used .*ECONNREFUSED/)]);
  });

  test('a wrong password is told without showing it', async () => {
    troubles.length = 0;
    const events = await open({ url: `redis://:not-the-password@127.0.0.1:${redis.port}` });
    await events.close();
    expect(troubles).toEqual([expect.stringMatching(/^Redis cannot be used .*WRONGPASS/)]);
    expect(troubles.join()).not.toContain('not-the-password');
  });

  test('what is no event, or makes a listener fail, is told and keeps nothing from the others', async () => {
    troubles.length = 0;
    const [publisher, reader] = [await open(), await open()];
    const heard: (number | null)[] = [];
    reader.subscribe('a', (given) => {
      if (seqOf(given) === 2) throw new Error('broken pipe');
    });
    reader.subscribe('a', (given) => heard.push(seqOf(given)));
    await eventually(() => {
      publisher.publish('a', event(1));
      expect(heard).toContain(1);
    });
    publisher.publish('a', { ...event(3), type: 'from-another-version' } as never);
    publisher.publish('a', event(2));
    await eventually(() => expect(heard).toContain(2));
    expect(heard).not.toContain(3);
    expect(troubles).toHaveLength(2);
    expect(troubles[1]).toContain('a listener of run events failed');
    await Promise.all([publisher.close(), reader.close()]);
  });
});
