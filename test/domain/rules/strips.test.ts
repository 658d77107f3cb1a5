import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KeptStrip } from '../../../domain/contracts/evidence.ts';
import { findConflicts, type ComparableStrip } from '../../../domain/rules/conflicts.ts';
import type { QuotableStrip } from '../../../domain/rules/citation-list.ts';
import { composeExtract, labelCells } from '../../../domain/rules/extractive.ts';
import { withoutNearDuplicates } from '../../../domain/rules/near-duplicates.ts';
import { withinBudget } from '../../../domain/rules/strips.ts';

const kept = (start: number, score = 0.9): KeptStrip => ({
  evidenceId: 'p1',
  documentId: 'd1',
  start,
  end: start + 10,
  score,
  aspects: ['a1'],
});
const quotable = (text: string, extra: Partial<QuotableStrip> = {}): QuotableStrip => ({
  ...kept(0),
  end: text.length,
  kind: 'sentence',
  text,
  header: null,
  source: { origin: 'corpus', title: 'T', uri: 'u', section: '', page: null, readAt: null },
  ...extra,
});
const comparable = (documentId: string, text: string, extra: Partial<ComparableStrip> = {}): ComparableStrip => ({
  evidenceId: `e-${documentId}`,
  documentId,
  start: 0,
  text,
  authority: 50,
  effectiveFrom: null,
  ...extra,
});

describe('withinBudget', () => {
  test('keeps whole strips only, never more tokens than allowed, and counts what it left out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 200 }),
        (sizes, budget) => {
          const strips = sizes.map((_, i) => kept(i * 10));
          const result = withinBudget(strips, (strip) => sizes[strip.start / 10] ?? 0, budget);
          expect(result.tokens).toBeLessThanOrEqual(budget);
          expect(result.kept.length + result.dropped).toBe(strips.length);
        },
      ),
    );
  });
});

describe('findConflicts', () => {
  const a = comparable('handbook', 'Session logs of remote access are kept for 90 days.');
  const b = comparable('standard', 'Remote access session logs are kept for 180 days.');

  test('two documents with different figures for the same thing disagree', () => {
    expect(findConflicts([a, b])).toMatchObject([
      { documentIds: ['handbook', 'standard'], values: ['90 days', '180 days'], preferred: null },
    ]);
  });

  test.each([
    ['the higher authority', { authority: 90 }],
    ['the later date of effect', { effectiveFrom: '2026-01-01' }],
  ])('%s is preferred', (_, extra) => {
    expect(
      findConflicts([
        comparable('handbook', a.text, { effectiveFrom: '2025-01-01' }),
        comparable('standard', b.text, { effectiveFrom: '2025-01-01', ...extra }),
      ])[0]?.preferred,
    ).toBe('standard');
  });

  test.each([
    ['the same document', [a, comparable('handbook', b.text)]],
    ['the same figure', [a, comparable('standard', 'Remote access session logs are kept for 90 days.')]],
    ['another subject', [a, comparable('standard', 'Visitors sign in at the gate and badges last 180 days.')]],
    ['figures of other units', [a, comparable('standard', 'Session logs of remote access are kept on 3 servers.')]],
  ])('no conflict: %s', (_, strips) => {
    expect(findConflicts(strips)).toEqual([]);
  });

  test('does not take the number of a page for a value', () => {
    const a = comparable('a', 'As an aside, Tern maps page 1 shows several sponsored links.');
    const b = comparable('b', 'As an aside, Tern maps page 2 shows several sponsored links.');
    expect(findConflicts([a, b])).toEqual([]);
  });

  test('does not take the threshold of a rule for a value', () => {
    const a = comparable('a', 'Each Osprey API key may send 120 requests per minute to the gateway.');
    const b = comparable('b', 'Rate limits above 6000 requests per minute need an Osprey gateway of their own.');
    expect(findConflicts([a, b])).toEqual([]);
  });
});

describe('composeExtract', () => {
  const aspects = [{ id: 'a1', text: 'fee', terms: ['fee'], subject: null }];
  const compose = (strips: QuotableStrip[], maxStatements = 4) =>
    composeExtract(strips, aspects, { maxStatements, always: [] });

  test('a statement is the source sentence, word for word, with its citation', () => {
    const { statements, citations } = compose([quotable('The fee is 12 %.')]);
    expect(statements).toEqual([{ text: 'The fee is 12 %.', citations: [1] }]);
    expect(citations[0]).toMatchObject({ n: 1, quote: 'The fee is 12 %.', start: 0, end: 16 });
  });

  test('a row is told with its column names and cites both row and header', () => {
    const row = quotable('H60 | 610 Nm', {
      kind: 'row',
      start: 40,
      end: 52,
      header: { start: 10, end: 24, text: 'Model | Torque' },
    });
    const { statements, citations } = compose([row]);
    expect(statements).toEqual([{ text: 'Model: H60; Torque: 610 Nm', citations: [1, 2] }]);
    expect(citations.map(({ quote }) => quote)).toEqual(['H60 | 610 Nm', 'Model | Torque']);
  });

  test('a much weaker second strip is left out', () => {
    expect(
      compose([
        quotable('The fee is 12 %.', { score: 0.95 }),
        quotable('Fees exist.', { score: 0.5, start: 30, end: 41 }),
      ]).statements,
    ).toHaveLength(1);
  });

  test('every statement cites at least one quote and every quote is its strip', () => {
    const strip = fc.record({ text: fc.lorem(), score: fc.double({ min: 0.5, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(strip, { maxLength: 12 }), (strips) => {
        const given = strips.map(({ text, score }, i) =>
          quotable(text, { score, start: i * 1000, end: i * 1000 + text.length }),
        );
        const { statements, citations } = compose(given);
        expect(statements.length).toBeLessThanOrEqual(4);
        for (const statement of statements) {
          expect(statement.citations.length).toBeGreaterThan(0);
          for (const n of statement.citations) expect(given.map(({ text }) => text)).toContain(citations[n - 1]?.quote);
        }
      }),
    );
  });

  test('cells are only labelled when row and header fit', () => {
    expect(labelCells('a | b | c', 'X | Y')).toBeNull();
    expect(labelCells('a |  | c', 'X | Y | Z')).toBe('X: a; Z: c');
  });
});

describe('withoutNearDuplicates', () => {
  test('the first of two nearly equal texts stays', () => {
    const long =
      'The returns desk accepts goods in their original packing within thirty days of delivery and charges a restocking fee';
    expect(
      withoutNearDuplicates(
        [long, `${long}.`, 'Something quite different about the torque of bolts and gates'],
        (t) => t,
        0.9,
      ),
    ).toEqual([long, 'Something quite different about the torque of bolts and gates']);
  });

  test('exact repeats always collapse, and order is kept', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 10 }), (texts) => {
        const once = withoutNearDuplicates(texts, (t) => t, 1);
        expect(withoutNearDuplicates([...texts, ...texts], (t) => t, 1)).toEqual(once);
        expect(once).toEqual(texts.filter((t) => once.includes(t)).filter((t, i, all) => all.indexOf(t) === i));
      }),
    );
  });
});
