import { describe, expect, test } from '@jest/globals';
import { WebSearchError, type WebResult, type WebSearch, type WebSearchErrorCode } from '../../adapters/web/port.ts';
import { createWebSearch } from '../../adapters/web/search/chain.ts';
import { rejection } from './support/web-server.ts';

const options = { maxResults: 3, signal: new AbortController().signal };
const found: WebResult = {
  url: 'https://example.com/',
  title: '',
  content: '',
  rawContent: null,
  score: null,
  publishedAt: null,
};

function failing(
  id: string,
  code: WebSearchErrorCode,
  { retryable = true, retryAfterMs = null as number | null } = {},
) {
  return scripted(id, async () => {
    throw new WebSearchError(code, `${id}: ${code}`, { provider: id, retryable, retryAfterMs });
  });
}

function scripted(id: string, answer: () => Promise<WebResult[]>): WebSearch & { calls: () => number } {
  let calls = 0;
  return {
    id,
    calls: () => calls,
    search: async () => {
      calls += 1;
      return answer();
    },
  };
}

describe('a chain of searches', () => {
  test.each(['unauthorized', 'rate_limited', 'plan_exhausted', 'unavailable', 'timeout', 'bad_response'] as const)(
    'goes on to the next after %s, and tells of it',
    async (code) => {
      const failures: string[] = [];
      const chain = createWebSearch([failing('one', code), scripted('two', async () => [found])], {
        onFailure: (failure) => failures.push(`${failure.provider} ${failure.code}`),
      });
      expect(await chain.search('q', options)).toEqual([found]);
      expect(failures).toEqual([`one ${code}`]);
    },
  );

  test.each(['query_too_long', 'invalid_request'] as const)('stops at %s', async (code) => {
    const second = scripted('two', async () => [found]);
    expect(await rejection(createWebSearch([failing('one', code), second]).search('q', options))).toMatchObject({
      code,
    });
    expect(second.calls()).toBe(0);
  });

  test('takes "nothing found" for an answer', async () => {
    const second = scripted('two', async () => [found]);
    expect(await createWebSearch([scripted('one', async () => []), second]).search('q', options)).toEqual([]);
    expect(second.calls()).toBe(0);
  });

  test('when all fail, the failure is one that may pass', async () => {
    const chain = createWebSearch([failing('one', 'plan_exhausted', { retryable: false }), failing('two', 'timeout')]);
    expect(await rejection(chain.search('q', options))).toMatchObject({
      code: 'timeout',
      provider: 'two',
      retryable: true,
    });
  });

  test('when none may pass, it is the first', async () => {
    const final = { retryable: false };
    const chain = createWebSearch([failing('one', 'plan_exhausted', final), failing('two', 'unauthorized', final)]);
    expect(await rejection(chain.search('q', options))).toMatchObject({ code: 'plan_exhausted', retryable: false });
  });

  test('leaves alone whoever asked for it, for that time', async () => {
    const first = failing('one', 'rate_limited', { retryAfterMs: 60 });
    const second = failing('two', 'unavailable', { retryAfterMs: 10_000 });
    const chain = createWebSearch([first, second]);
    await rejection(chain.search('q', options));
    const error = await rejection(chain.search('q', options));
    expect([first.calls(), second.calls()]).toEqual([1, 1]);
    if (!(error instanceof WebSearchError)) throw error;
    expect(error.retryAfterMs).toBeLessThanOrEqual(60);
    await new Promise((resolve) => setTimeout(resolve, 80));
    await rejection(chain.search('q', options));
    expect([first.calls(), second.calls()]).toEqual([2, 1]);
  });

  test('of no search says that nobody has looked', async () => {
    const none = createWebSearch([]);
    expect(none.id).toBe('none');
    expect(await rejection(none.search('q', options))).toMatchObject({ code: 'unavailable', retryable: false });
  });

  test('passes on a cancellation at once', async () => {
    const reason = new Error('cancelled');
    const second = scripted('two', async () => [found]);
    const chain = createWebSearch([scripted('one', () => Promise.reject(reason)), second]);
    expect(await rejection(chain.search('q', options))).toBe(reason);
    expect(second.calls()).toBe(0);
  });
});
