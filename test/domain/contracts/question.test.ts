import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { policySchema } from '../../../domain/contracts/policy.ts';
import { questionRequestSchema } from '../../../domain/contracts/question.ts';

const messageFor = (body: unknown) => questionRequestSchema.safeParse(body).error?.issues[0]?.message;

describe('questionRequestSchema', () => {
  test.each([
    [{ question: '' }, 'empty'],
    [{ question: '   ' }, 'empty'],
    [{ question: 'ab' }, 'shorter than 3'],
    [{ question: 'x'.repeat(8001) }, 'longer than 8000'],
    [{ question: 42 }, 'must be a string'],
    [{}, 'must be a string'],
    [{ question: 'why\u0000?' }, 'control characters'],
    [{ question: 'why\u0007 so?' }, 'control characters'],
    [{ question: 'why \ud800 so?' }, 'half of a character'],
  ])('%j is refused with a reason', (body, reason) => {
    expect(messageFor(body)).toContain(reason);
  });

  test.each(['?', '鍵は?', 'why', 'x'.repeat(8000), 'line one\nline two\twith a tab', '🙂 what is this'])(
    '%# is let in',
    (question) => {
      expect(questionRequestSchema.safeParse({ question }).success).toBe(true);
    },
  );

  test('an unknown field is refused, not ignored', () => {
    expect(questionRequestSchema.safeParse({ question: 'What is it?', tenant: 'other' }).success).toBe(false);
  });
});

describe('policySchema', () => {
  const shipped = JSON.parse(
    readFileSync(new URL('../../../policies/default.json', import.meta.url), 'utf8'),
  ) as Record<string, unknown>;

  test('takes the default policy', () => {
    expect(policySchema.safeParse(shipped).success).toBe(true);
  });

  test('names the path of a wrong field', () => {
    const wrong = { ...shipped, verdict: { rule: 'any-above', correct: 1.7, incorrect: 0.3 } };
    expect(policySchema.safeParse(wrong).error?.issues[0]?.path).toEqual(['verdict', 'correct']);
  });

  test('refuses a field that it does not know', () => {
    expect(policySchema.safeParse({ ...shipped, treshold: 1 }).success).toBe(false);
  });
});
