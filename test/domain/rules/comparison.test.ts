import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareOutcomes } from '../../../domain/comparison.ts';
import { tierSchema, type Citation, type GradedEvidence, type Outcome } from '../../../domain/contracts/answer.ts';
import type { ComparedRun, Comparison } from '../../../domain/contracts/comparison.ts';
import { gradeLabelSchema, verdictSchema } from '../../../domain/contracts/evidence.ts';

const noUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0, estimated: false, calls: [] };
const usage = fc
  .record({
    inputTokens: fc.nat(10_000),
    outputTokens: fc.nat(10_000),
    costUsd: fc.nat(5_000_000).map((micro) => micro / 1e6),
    estimated: fc.boolean(),
  })
  .map((spent) => ({ ...noUsage, ...spent }));

const passage = fc.record({
  id: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5'),
  score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  label: fc.constantFrom(...gradeLabelSchema.options),
  used: fc.boolean(),
});
const evidenceOf = (one: { id: string }): Pick<GradedEvidence, 'documentId' | 'title' | 'section' | 'origin'> => ({
  origin: 'corpus',
  documentId: `d-${one.id}`,
  title: `Title ${one.id}`,
  section: '',
});
const cited = fc.record({
  documentId: fc.constantFrom('d1', 'd2'),
  start: fc.nat(3),
  length: fc.integer({ min: 1, max: 2 }),
});
const citation = ({ documentId, start, length }: { documentId: string; start: number; length: number }, n = 1) =>
  ({
    n,
    evidenceId: 'p1',
    origin: 'corpus',
    documentId,
    title: documentId,
    uri: '',
    section: '',
    page: null,
    quote: 'quoted'.slice(start, start + length),
    start,
    end: start + length,
    readAt: null,
  }) satisfies Citation;

const outcome = fc
  .record({
    answer: fc.option(fc.constantFrom('Nine. [1]', 'Ten. [1]')),
    verdict: fc.option(fc.constantFrom(...verdictSchema.options)),
    passages: fc.uniqueArray(passage, { selector: ({ id }) => id }),
    citations: fc.array(cited, { maxLength: 5 }),
    statements: fc.array(fc.constantFrom('Nine.', 'Ten.', 'Eleven.'), { maxLength: 4 }),
    tiers: fc.array(fc.constantFrom(...tierSchema.options), { maxLength: 3 }),
    models: fc.dictionary(fc.constantFrom('grade', 'generate', 'check'), fc.constantFrom('local/rules', 'openai/m')),
    totalMs: fc.nat(),
    usage,
  })
  .map(({ passages, citations, statements, tiers, models, totalMs, ...rest }): Outcome => ({
    ...rest,
    question: 'What is the late fee?',
    status: rest.answer === null ? 'abstained' : 'answered',
    statements: statements.map((text) => ({ text, citations: [1] })),
    citations: citations.map((one, i) => citation(one, i + 1)),
    quality: { status: 'sufficient', aspects: [], missingAspects: [], conflicts: [] },
    reason: rest.answer === null ? { code: 'no_evidence', message: 'nothing' } : null,
    limitation: null,
    evidence: passages.map((one) => ({ ...one, ...evidenceOf(one), uri: '', readAt: null, reason: '' })),
    ledger: tiers.map((tier) => ({ tier, query: '', found: 0, verdict: 'AMBIGUOUS', ms: 1, note: null })),
    degraded: [],
    grounding: null,
    timings: { totalMs, steps: [] },
    versions: { policy: 'default@1', prompts: 'none', models },
    review: null,
  }));

const ended = outcome.map((one): ComparedRun => {
  const { question, status, reason } = one;
  return { question, status, reason, usage: one.usage, outcome: one };
});
const unended = fc.record({
  question: fc.constant('What is the late fee?'),
  status: fc.constantFrom('running', 'failed', 'cancelled'),
  reason: fc.option(fc.constant({ code: 'Index.Unavailable', message: 'away' })),
  usage: fc.option(usage),
  outcome: fc.constant(null),
});
const either = fc.oneof({ arbitrary: ended, weight: 3 }, { arbitrary: unended, weight: 1 });

/** Whether two comparisons are the same but for the sides. */
function mirrored(one: unknown, other: unknown): void {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return expect(one).toEqual(other);
  const [a, b] = [one, other as object] as Record<string, unknown>[];
  if (a === undefined || b === undefined) throw new Error('nothing to mirror');
  const opposite: Record<string, string> = { first: 'second', onlyFirst: 'onlySecond' };
  for (const [key, value] of Object.entries(a)) {
    if (key === 'both') expect((value as unknown[]).length).toBe((b[key] as unknown[]).length);
    else if (key === 'difference') expect(value).toEqual(b[key] === null ? null : -(b[key] as number) + 0);
    else if (key in opposite) expect([value, a[opposite[key] ?? '']]).toEqual([b[opposite[key] ?? ''], b[key]]);
    else if (!Object.values(opposite).includes(key)) mirrored(value, b[key]);
  }
}

const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();
const whole = ({ evidence, statements, citations }: Comparison) => [evidence, statements, citations];

describe('two runs side by side', () => {
  test('the other way round tell the same with the sides swapped', () => {
    fc.assert(fc.property(either, either, (a, b) => mirrored(compareOutcomes(a, b), compareOutcomes(b, a))));
  });

  test('each passage of a run is either of both or of that run alone, with the grade that the run gave it', () => {
    fc.assert(
      fc.property(ended, ended, (a, b) => {
        const { evidence } = compareOutcomes(a, b);
        const [ofFirst, ofSecond] = [a.outcome?.evidence ?? [], b.outcome?.evidence ?? []];
        expect(ids([...(evidence?.both ?? []), ...(evidence?.onlyFirst ?? [])])).toEqual(ids(ofFirst));
        expect(ids([...(evidence?.both ?? []), ...(evidence?.onlySecond ?? [])])).toEqual(ids(ofSecond));
        for (const { id, first, second } of evidence?.both ?? []) {
          expect(ofFirst.find((one) => one.id === id)).toMatchObject(first);
          expect(ofSecond.find((one) => one.id === id)).toMatchObject(second);
        }
      }),
    );
  });

  test('statements and citations of both are in both runs, and of one are not in the other', () => {
    const key = ({ documentId, start, end }: Pick<Citation, 'documentId' | 'start' | 'end'>) =>
      `${documentId}:${start}-${end}`;
    fc.assert(
      fc.property(ended, ended, (a, b) => {
        const { statements, citations } = compareOutcomes(a, b);
        const spans = [a, b].map(({ outcome: one }) => new Set(one?.citations.map(key)));
        const texts = [a, b].map(({ outcome: one }) => new Set(one?.statements.map(({ text }) => text)));
        const sides = [
          { all: spans, found: citations, keyOf: key as (one: never) => string },
          { all: texts, found: statements, keyOf: String as (one: never) => string },
        ];
        for (const { all, found, keyOf } of sides) {
          const [first, second] = all;
          const keys = (list: readonly unknown[] = []) => list.map((one) => keyOf(one as never));
          expect(new Set(keys(found?.both))).toEqual(first?.intersection(second ?? new Set()));
          expect(new Set(keys(found?.onlyFirst))).toEqual(first?.difference(second ?? new Set()));
          expect(new Set(keys(found?.onlySecond))).toEqual(second?.difference(first ?? new Set()));
        }
      }),
    );
  });

  test('a run beside itself has nothing of its own, no other model and no difference', () => {
    fc.assert(
      fc.property(ended, (run) => {
        const comparison = compareOutcomes(run, run);
        for (const list of whole(comparison)) expect(list).toMatchObject({ onlyFirst: [], onlySecond: [] });
        expect(comparison).toMatchObject({
          models: {},
          answer: { same: true },
          costUsd: { difference: 0 },
          tokens: { input: { difference: 0 }, output: { difference: 0 } },
        });
      }),
    );
  });

  test('a run without an outcome has status, reason and usage, and nothing is said of the rest', () => {
    fc.assert(
      fc.property(ended, unended, (run, without) => {
        const comparison = compareOutcomes(run, without);
        expect(whole(comparison)).toEqual([null, null, null]);
        expect(comparison).toMatchObject({
          status: { first: run.status, second: without.status },
          reason: { first: run.reason, second: without.reason },
          costUsd: { first: run.usage?.costUsd, second: without.usage?.costUsd ?? null },
          models: null,
          answer: { first: run.outcome?.answer, second: null, same: false },
          verdict: { second: null },
          totalMs: { second: null },
        });
      }),
    );
  });
});

test('only the models that differ are told, and what they cost more', () => {
  const [base] = fc.sample(ended, { numRuns: 1, seed: 1 });
  if (!base?.outcome) throw new Error('no sample');
  const run = (models: Record<string, string>, costUsd: number): ComparedRun => {
    const one = { ...noUsage, costUsd };
    const versions = { policy: 'default@1', prompts: 'none', models };
    return { ...base, usage: one, outcome: { ...(base.outcome as Outcome), usage: one, versions } };
  };
  const local = run({ grade: 'local/logistic', generate: 'local/extractive' }, 0.1);
  const paid = run({ grade: 'local/logistic', generate: 'openai/large' }, 0.3);
  expect(compareOutcomes(local, paid)).toMatchObject({
    models: { generate: { first: 'local/extractive', second: 'openai/large' } },
    costUsd: { first: 0.1, second: 0.3, difference: 0.2, estimated: { first: false, second: false } },
  });
});

test('a citation of another text at the same place is another one', () => {
  const [base] = fc.sample(ended, { numRuns: 1, seed: 1 });
  if (!base?.outcome) throw new Error('no sample');
  const run = (quote: string): ComparedRun => ({
    ...base,
    outcome: {
      ...(base.outcome as Outcome),
      citations: [{ ...citation({ documentId: 'd1', start: 0, length: 4 }), quote }],
    },
  });
  expect(compareOutcomes(run('9 %.'), run('12 %')).citations).toMatchObject({
    both: [],
    onlyFirst: [{ quote: '9 %.' }],
    onlySecond: [{ quote: '12 %' }],
  });
});
