import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkGrounding } from '../../../domain/grounding/check-grounding.ts';
import { sentences } from '../../../domain/text/sentences.ts';
import { judge } from './judge.ts';

const subject = fc.constantFrom(
  'The north silo',
  'The Kestrel router',
  'The annual fee',
  'Every locker',
  'The Norberg depot',
);
const verb = fc.constantFrom(
  'holds',
  'needs',
  'covers',
  'is limited to',
  'must not exceed',
  'reaches at least',
  'lost about',
);
const units = [
  'kg',
  'tonnes',
  'minutes',
  'hours',
  'days',
  '%',
  'crowns',
  'litres',
  'kW',
  'bar',
  'GB',
  '°C',
  'Nm',
  'm²',
];
const unit = fc.constantFrom(...units);
const amount = fc.oneof(
  fc.integer({ min: 2, max: 99_999 }),
  fc.integer({ min: 11, max: 9_999 }).map((n) => n / 10),
);
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const dayAndMonth = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .filter(([day, month]) => day !== month);
const code = fc
  .tuple(
    fc.constantFrom('E', 'INV', 'Q7', 'AB'),
    fc.integer({ min: 1000, max: 9999 }),
    fc.constantFrom('', '/b', '-AB', '/c2'),
  )
  .map(([head, number, tail]) => `${head}-${number}${tail}`);
const auxiliary = fc.constantFrom('is', 'was', 'can be', 'must be', 'should be', 'has been', 'will be');
const participle = fc.constantFrom('refunded', 'insured', 'opened', 'approved', 'replaced', 'included');

const figureSentence = fc
  .tuple(subject, verb, amount, unit)
  .map(([a, b, n, u]) => ({ lead: `${a} ${b} `, n, u, text: `${a} ${b} ${n} ${u}.` }));
const plainSentence = fc.tuple(subject, auxiliary, participle).map(([a, b, c]) => `${a} ${b} ${c} in winter.`);
const codeSentence = fc
  .tuple(code, participle)
  .map(([id, done]) => ({ id, text: `Part ${id} was ${done} by the fitter.` }));

function judgeSentence(
  passage: string,
  start: number,
  end: number,
): { supported: boolean; reason: string } | undefined {
  const quote = passage.slice(start, end);
  return checkGrounding(
    [{ text: quote, citations: [1] }],
    [{ n: 1, evidenceId: 'e', quote, start: start + 7, end: end + 7 }],
    {
      e: { text: passage, start: 7, context: 'A title' },
    },
  ).statements[0];
}

describe('a sentence quoted as itself', () => {
  test('passes, whatever the passage', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      plainSentence,
      figureSentence.map(({ text }) => text),
      codeSentence.map(({ text }) => text),
      fc.constantFrom(
        'No refund!',
        '設備点検は毎月第二火曜日に行う。',
        '- an item',
        'Plan | Price',
        'It is not, e.g. on 03/04/2024, 12 %.',
        'Über 2.460,5 kg\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const passage = pieces.join(' ');
        for (const { start, end } of sentences(passage)) {
          expect(judgeSentence(passage, start, end)).toMatchObject({ supported: true });
        }
      }),
      { numRuns: 150 },
    );
  });
  test('passes by the rules alone when only a word without meaning is added', () => {
    const any = fc.oneof(
      plainSentence,
      figureSentence.map(({ text }) => text),
      codeSentence.map(({ text }) => text),
    );
    fc.assert(fc.property(any, (text) => expect(judge(`Also ${text}`, text)).toMatchObject({ supported: true })));
  });
});

describe('one change to a sentence is found', () => {
  test('another number', () => {
    fc.assert(
      fc.property(figureSentence, amount, ({ lead, n, u, text }, other) => {
        fc.pre(other !== n);
        expect(judge(`${lead}${other} ${u}.`, text)).toMatchObject({ supported: false });
      }),
      { numRuns: 150 },
    );
  });
  test('another unit', () => {
    fc.assert(
      fc.property(figureSentence, unit, ({ lead, n, u, text }, other) => {
        fc.pre(other !== u);
        expect(judge(`${lead}${n} ${other}.`, text)).toMatchObject({ supported: false });
      }),
      { numRuns: 150 },
    );
  });
  test('the same value in another unit passes', () => {
    const pairs = [
      ['kg', 'g', 1000],
      ['hours', 'minutes', 60],
      ['km', 'm', 1000],
      ['MPa', 'bar', 10],
      ['kWh', 'Wh', 1000],
      ['years', 'months', 12],
    ] as const;
    fc.assert(
      fc.property(
        subject,
        fc.integer({ min: 2, max: 5000 }),
        fc.constantFrom(...pairs),
        (who, n, [from, to, factor]) => {
          expect(judge(`${who} needs ${n * factor} ${to}.`, `${who} needs ${n} ${from}.`)).toMatchObject({
            supported: true,
          });
          expect(judge(`${who} needs ${n * factor + 1} ${to}.`, `${who} needs ${n} ${from}.`)).toMatchObject({
            supported: false,
          });
        },
      ),
    );
  });
  test('day and month swapped, in words and in digits', () => {
    fc.assert(
      fc.property(dayAndMonth, fc.integer({ min: 1950, max: 2049 }), ([day, month], year) => {
        const inWords = (d: number, m: number): string => `The plan starts on ${d} ${monthNames[m - 1]} ${year}.`;
        const inDigits = (d: number, m: number): string => `The plan (dd/mm) starts on ${d}/${m}/${year}.`;
        expect(judge(inWords(month, day), inWords(day, month)).supported).toBe(false);
        expect(judge(inWords(month, day), inDigits(day, month)).supported).toBe(false);
        expect(judge(inDigits(month, day), inDigits(day, month)).supported).toBe(false);
        expect(judge(inWords(day, month), inDigits(day, month)).supported).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
  test('"not" added or taken away', () => {
    fc.assert(
      fc.property(subject, auxiliary, participle, (who, aux, done) => {
        const [first = '', ...rest] = aux.split(' ');
        const affirmed = `${who} ${aux} ${done} in winter.`;
        const denied = `${who} ${[first, 'not', ...rest].join(' ')} ${done} in winter.`;
        expect(judge(denied, affirmed).supported).toBe(false);
        expect(judge(affirmed, denied).supported).toBe(false);
        expect(judge(affirmed.replace(`${aux} `, `${aux} never `), affirmed).supported).toBe(false);
      }),
    );
  });
  test('one character of an identifier', () => {
    fc.assert(
      fc.property(codeSentence, fc.nat(), fc.constantFrom(...'ABXabx0189'), ({ id, text }, at, char) => {
        const index = at % id.length;
        fc.pre(/[\p{L}\p{N}]/u.test(id.charAt(index)) && id.charAt(index) !== char);
        const changed = id.slice(0, index) + char + id.slice(index + 1);
        expect(judge(text.replace(id, changed), text)).toMatchObject({ supported: false });
      }),
      { numRuns: 150 },
    );
  });
});

describe('the check itself', () => {
  test('never throws, gives one judgement per statement and short reasons, the same each time', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom(...'0123456789.,:/- %kgmh$€–\n|'), maxLength: 60 }),
    );
    fc.assert(
      fc.property(text, text, text, (statement, source, context) => {
        const result = judge(statement, source, context);
        expect(result.reason.length).toBeGreaterThan(0);
        expect(result.reason.length).toBeLessThanOrEqual(200);
        expect(judge(statement, source, context)).toEqual(result);
      }),
      { numRuns: 200 },
    );
  });
});
