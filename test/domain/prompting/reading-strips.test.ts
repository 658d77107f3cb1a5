import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Strip } from '../../../domain/contracts/document.ts';
import { listStrips } from '../../../domain/prompting/strip-list.ts';
import { readKeptStrips } from '../../../domain/prompting/strip-answer.ts';
import { scoreStrips, type StripPassage } from '../../../domain/rules/strips.ts';
import { analyseQuestion } from '../../../domain/rules/analyse.ts';

const refine = { contextTokens: 1000, minCharacters: 8, keep: 0.3, keepFromPartial: 0.45 };

function passage(
  id: string,
  sentences: string[],
  extra: Partial<StripPassage> & { kind?: Strip['kind'] } = {},
): StripPassage {
  const text = sentences.join(' ');
  const start = extra.start ?? 0;
  let at = start;
  const strips = sentences.map((sentence) => {
    const strip: Strip = { start: at, end: at + sentence.length, kind: extra.kind ?? 'sentence', header: null };
    at += sentence.length + 1;
    return strip;
  });
  return {
    id,
    documentId: `d-${id}`,
    text,
    context: 'Returns › Fees',
    page: null,
    supports: ['a1'],
    stripVectors: null,
    strips,
    ...extra,
    start,
  };
}

function scoredOf(passages: StripPassage[], question: string) {
  const analysis = analyseQuestion(question);
  return { analysis, scored: scoreStrips(passages, { analysis, vectors: [] }, refine) };
}

const fee = passage('p', ['The late fee is 12 %.', 'It is due within 30 days.', 'Our shop has nice plants.']);
const question = 'What is the late fee and when is it due?';

describe('strips in a prompt', () => {
  test('stand on lines of their own, numbered through all documents, under their titles', () => {
    const rows = passage('t', ['A | 9', 'B | 12 units'], { context: 'Prices', kind: 'row' });
    for (const strip of rows.strips) strip.header = { start: 0, end: 0, text: 'Item |\n price' };
    const { documents } = listStrips(scoredOf([fee, rows], question).scored);
    expect(documents).toEqual([
      {
        id: 'd1',
        context: 'Returns › Fees',
        text: '[s1] The late fee is 12 %.\n[s2] It is due within 30 days.\n[s3] Our shop has nice plants.',
      },
      { id: 'd2', context: 'Prices', text: 'Item | price\n[s4] A | 9\n[s5] B | 12 units' },
    ]);
  });

  test('a strip of two overlapping passages is listed once', () => {
    const [a, b, c] = ['The late fee is 12 %.', 'It is due within 30 days.', 'Our shop has nice plants.'];
    const first = passage('p', [a, b], { documentId: 'd' });
    const second = passage('q', [b, c], { documentId: 'd', start: a.length + 1 });
    const { numbered, documents } = listStrips(scoredOf([first, second], question).scored);
    expect(numbered.map(({ strip }) => strip.start)).toEqual([0, 22, 48]);
    expect(documents.map(({ text }) => text)).toEqual([`[s1] ${a}\n[s2] ${b}`, `[s3] ${c}`]);
  });

  test('no text can number itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[s1]', '\n[s2] ', '[ S 3]', 'fee ', 'of 12 %', '\n'), { minLength: 3 }),
        (parts) => {
          const { documents, numbered } = listStrips(
            scoredOf([passage('p', [`Late fees ${parts.join('')}`])], question).scored,
          );
          const marks = documents.flatMap(({ text }) => text.match(/\[\s*s\s*\d+/gi) ?? []);
          expect(marks).toEqual(numbered.map((_, i) => `[s${i + 1}`));
        },
      ),
    );
  });
});

describe("a model's choice of strips", () => {
  const { analysis, scored } = scoredOf([fee], question);
  const { numbered } = listStrips(scored);
  const read = (entries: unknown[]) => readKeptStrips(entries, numbered, analysis.aspects);

  test('keeps what it kept, with the sentence that a strip leans on; the rest is dropped', () => {
    const kept = read([
      { id: 's2', keep: true, aspects: ['a2', 'a7'] },
      { id: 's3', keep: false, aspects: ['a1'] },
      { id: 's9', keep: true, aspects: ['a1'] },
    ]);
    expect(kept).toMatchObject([{ evidenceId: 'p', start: 0, end: fee.strips[1]?.end, aspects: ['a2'] }]);
  });

  test('an entry that is given twice or is not of the schema leaves that strip to the local scores', () => {
    const reached = numbered.map((candidate, i) => ({
      ...candidate,
      aspects: candidate.aspects.map((aspect) => ({ ...aspect, score: i === 0 ? 0.9 : 0.1 })),
    }));
    const read = (entries: unknown[]) => readKeptStrips(entries, reached, analysis.aspects).map(({ end }) => end);
    const dropped = ['s1', 's2'].map((id) => ({ id, keep: false, aspects: [] }));
    expect(read(dropped)).toEqual([]);
    for (const entries of [[...dropped, ...dropped], dropped.map((entry) => ({ ...entry, keep: 'no' }))])
      expect(read(entries)).toEqual([fee.strips[0]?.end]);
  });

  test('whatever it says, only strips that were given are kept, each once', () => {
    const entry = fc.record({
      id: fc.constantFrom('s1', 's2', 's3', 's4', 'd1'),
      keep: fc.oneof(fc.boolean(), fc.string()),
      aspects: fc.array(fc.constantFrom('a1', 'a2', 'a3')),
    });
    const spans = new Set(numbered.map(({ span }) => `${span.start}:${span.end}`));
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, fc.anything())), (entries) => {
        const kept = read(entries).map(({ start, end }) => `${start}:${end}`);
        expect(new Set(kept).size).toBe(kept.length);
        expect(kept.every((span) => spans.has(span))).toBe(true);
      }),
    );
  });
});
