import { describe, expect, test } from '@jest/globals';
import type { Outcome, Reason } from '../../../domain/contracts/answer.ts';
import type { GapRun } from '../../../domain/contracts/gaps.ts';
import { waysToClose, type ReadRun } from '../../../domain/rules/gap-closing.ts';

const run: GapRun = {
  id: 'q1',
  question: 'What is the fee?',
  status: 'abstained',
  reason: null,
  askedAt: '2026-11-30T08:00:00.000Z',
  groups: [],
  review: null,
};

function evidence(title: string, score: number, label: 'partial' | 'irrelevant'): Outcome['evidence'][number] {
  const place = { id: title, origin: 'corpus' as const, documentId: title, uri: '', section: '', readAt: null };
  return { ...place, title, score, label, reason: '', used: false };
}

function outcome(code: Reason['code'] | null, own: Partial<Outcome> = {}): Outcome {
  const quality = { status: 'insufficient' as const, aspects: [], missingAspects: ['the late fee'], conflicts: [] };
  return {
    question: run.question,
    status: code === null ? 'answered' : 'abstained',
    answer: null,
    statements: [],
    citations: [],
    verdict: null,
    quality,
    reason: code === null ? null : { code, message: '' },
    limitation: null,
    evidence: [evidence('Old', 0.1, 'irrelevant'), evidence('Fees', 0.4, 'partial'), evidence('Terms', 0.5, 'partial')],
    ledger: [],
    degraded: [],
    grounding: null,
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0, estimated: false, calls: [] },
    timings: { totalMs: 0, steps: [] },
    versions: { policy: 'default@1', prompts: 'none', models: {} },
    review: null,
    ...own,
  };
}

const ways = (own: Partial<ReadRun>) => waysToClose([{ run, outcome: null, published: false, ...own }]);

describe('what would close a gap', () => {
  const conflicts = [{ spans: [], documentIds: ['a.md', 'b.md'], values: ['1', '2'], preferred: null }] as never;
  const quality = { status: 'conflicting' as const, aspects: [], missingAspects: [], conflicts };
  test.each<[Reason['code'], Partial<Outcome>, string]>([
    ['no_evidence', {}, 'a document that says: the late fee'],
    ['empty_corpus', {}, 'a document that says: the late fee'],
    ['missing_aspects', {}, 'a document that says: the late fee'],
    [
      'insufficient_evidence',
      {},
      'the passages nearest are in Terms, Fees; add the sentence that answers: the late fee',
    ],
    ['conflicting_sources', { quality }, 'mark one of a.md, b.md as superseded, or give it a higher authority'],
    ['cost_ceiling', {}, 'a higher budget: budget.maxCostUsd of its policy'],
    [
      'not_grounded',
      {},
      'the passages nearest are in Terms, Fees; say it there outright, in one sentence: the late fee',
    ],
    ['rejected', {}, 'nothing to add: a reviewer rejected it'],
  ])('%s', (code, own, way) => {
    expect(ways({ outcome: outcome(code, own) })).toEqual([way]);
  });

  test('a decision, where a person is waited for', () => {
    const waiting = { ...run, status: 'awaiting_review', review: { state: 'open' as const, decided: null } };
    expect(ways({ run: waiting })).toEqual(["a reviewer's decision: plumbline review show q1"]);
  });

  const at = '2026-11-30T08:00:00.000Z';
  const decided = { round: 1, kind: 'answer' as const, by: 'ann', at, approvedBy: null, comment: null };
  const whole = { state: 'decided' as const, round: 1, reason: 'abstained' as const, openedAt: at, deadline: at };
  const review = { ...whole, groups: [], claimedBy: null, proposed: null, decided, trail: [] };
  const given = { n: 1, evidenceId: 'reviewer.a', origin: 'reviewer' as const, documentId: 'd', title: 'T', uri: '' };
  const citations = [{ ...given, section: '', page: null, quote: 'x', start: 0, end: 1, readAt: at }];

  test('publishing what a reviewer gave; nothing more where that is done', () => {
    const reviewed = outcome(null, { review, citations });
    expect(ways({ outcome: reviewed })).toEqual(['publish the reviewed answer: plumbline review publish q1']);
    expect(ways({ outcome: reviewed, published: true })).toEqual([]);
  });

  test('each way is told once, for the newest question', () => {
    const older = { ...run, id: 'q0', question: 'Which fee?' };
    const read = { outcome: outcome('no_evidence', { quality: { ...outcome(null).quality, missingAspects: [] } }) };
    const runs = [run, older].map((one) => ({ ...read, run: one, published: false }));
    expect(waysToClose(runs)).toEqual(['a document that says: What is the fee?']);
  });
});
