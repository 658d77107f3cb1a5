import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { WebSearchError } from '../../adapters/web/port.ts';
import { logWebFailures } from '../../worker/log-web-failures.ts';

test('an operator is told once a minute what keeps a search from answering', () => {
  const log = new PassThrough({ encoding: 'utf8' });
  let at = 0;
  const onFailure = logWebFailures(log, { now: () => at });
  const failure = (code: 'plan_exhausted' | 'timeout') =>
    new WebSearchError(code, `tavily: ${code}`, { provider: 'tavily', retryable: false });
  for (at of [0, 1_000, 59_999]) onFailure(failure('plan_exhausted'));
  onFailure(failure('timeout'));
  at = 60_000;
  onFailure(failure('plan_exhausted'));
  const lines = String(log.read()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: 'WARN',
      provider: 'tavily',
      code: 'plan_exhausted',
      at: '1970-01-01T00:00:00.000Z',
    }),
    expect.objectContaining({ code: 'timeout' }),
    expect.objectContaining({ code: 'plan_exhausted', at: '1970-01-01T00:01:00.000Z' }),
  ]);
});
