import { describe, expect, test } from '@jest/globals';
import type { Citation, Outcome } from '../../../domain/contracts/answer.ts';
import type { Decided, ReviewRecord, TrailEntry } from '../../../domain/contracts/review.ts';
import { publishable } from '../../../domain/review/publishable.ts';

const at = '2026-11-30T08:00:00.000Z';

function citation(n: number, own: Partial<Citation>): Citation {
  const place = { section: '', page: null, quote: 'x', start: 0, end: 1, readAt: null };
  return { n, evidenceId: `p${n}`, origin: 'corpus', documentId: `d${n}`, title: `T${n}`, uri: '', ...place, ...own };
}

function line(own: Partial<TrailEntry>): TrailEntry {
  return { at, actor: null, action: 'opened', round: 1, from: null, to: null, decision: null, note: null, ...own };
}

function review(decided: Partial<Decided>, trail: TrailEntry[] = []): ReviewRecord {
  const whole = { round: 1, kind: 'answer' as const, by: 'ann', at, approvedBy: null, comment: null, ...decided };
  const open = { openedAt: at, deadline: at, groups: [], claimedBy: null, proposed: null };
  return { state: 'decided', round: 1, reason: 'abstained', ...open, decided: whole, trail };
}

type Run = Parameters<typeof publishable>[0];

function run(own: Partial<Run>): Run {
  const statements: Outcome['statements'] = [{ text: 'The fee is 12.', citations: [1] }];
  const citations = [citation(1, { origin: 'reviewer', title: 'Notice', uri: 'https://fees.example' })];
  return { status: 'answered', statements, citations, review: review({}), ...own };
}

describe('what of a reviewed run can be published', () => {
  test('the answer that a reviewer gave, with its source and who approved it', () => {
    expect(publishable(run({ review: review({ approvedBy: 'ben' }) }))).toEqual({
      text: {
        kind: 'answer',
        statements: ['The fee is 12.'],
        sources: [{ title: 'Notice', uri: 'https://fees.example' }],
      },
      reviewer: 'ann',
      approvedBy: 'ben',
      decidedAt: at,
      citedDocuments: [],
    });
  });

  test('the evidence that a reviewer added, as far as the answer cites it, and the documents cited beside it', () => {
    const citations = [
      citation(1, { origin: 'reviewer', evidenceId: 'reviewer.a' }),
      citation(2, {}),
      citation(3, { origin: 'reviewer', evidenceId: 'reviewer.a' }),
    ];
    expect(publishable(run({ citations, review: review({ kind: 'addEvidence' }) }))).toMatchObject({
      text: { kind: 'evidence', passages: ['reviewer.a'] },
      citedDocuments: ['d2'],
    });
  });

  test('the evidence, too, where another round confirmed what it led to', () => {
    const trail = [
      line({ action: 'approved', actor: 'ben' }),
      line({ action: 'decided', actor: 'cleo', decision: 'addEvidence' }),
      line({ action: 'decided', actor: 'ann', decision: 'confirm', round: 2 }),
    ];
    const confirmed = run({ status: 'partially_answered', review: review({ kind: 'confirm', round: 2 }, trail) });
    expect(publishable(confirmed)).toMatchObject({ reviewer: 'cleo', approvedBy: 'ben', text: { kind: 'evidence' } });
  });

  test.each([
    ['a run that abstained', run({ status: 'abstained', citations: [] }), 'ended abstained'],
    ['a run without a review', run({ review: null }), 'no reviewer'],
    [
      'an answer of the corpus alone',
      run({ citations: [citation(1, {})], review: review({ kind: 'retry' }) }),
      'reviewer gave (ann decided "retry")',
    ],
    [
      'an answer that nobody had decided on',
      run({ citations: [citation(1, {})], review: { ...review({}), decided: null } }),
      'reviewer gave',
    ],
  ])('%s cannot be', (_, ended, why) => {
    expect(publishable(ended)).toEqual({ why: expect.stringContaining(why) });
  });
});
