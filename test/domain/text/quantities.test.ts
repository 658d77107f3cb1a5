import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dates } from '../../../domain/text/dates.ts';
import { quantities } from '../../../domain/text/quantities.ts';

/** Kind, value, unit and rate of each quantity, as one short line. */
function read(text: string): string[] {
  return quantities(text, { skip: dates(text) }).map(({ kind, raw, value, unit, per }) => {
    const what =
      kind === 'number' ? String(Math.round(value * 1e9) / 1e9) : kind === 'ordinal' ? `#${value}` : `${kind} ${raw}`;
    return [what, unit?.name, per && `per ${per}`].filter(Boolean).join(' ');
  });
}

describe('quantities', () => {
  test.each([
    ['2,460 kg', ['2460 kg']],
    ['2 460 kg', ['2460 kg']],
    ["2'460 kg", ['2460 kg']],
    ['2.460 kg', ['2.46 kg']],
    ['2.460 kg, also 3,5 %', ['2460 kg', '3.5 %']],
    ['1.234.567,89 EUR', ['1234567.89 EUR']],
    ['1,234.5 and 0.75', ['1234.5', '0.75']],
    ['10,20,30', ['10', '20', '30']],
    ['12%, 12 %, 12 percent, twelve per cent', ['12 %', '12 %', '12 %', '12 %']],
    ['twenty-one days', ['21 day']],
    ['one hundred and twenty people', ['120']],
    ['two and a half hours', ['2.5 h']],
    ['a dozen eggs, half a million crowns', ['12', '500000 crown']],
    ['dozens of eggs', ['vague dozens']],
    ['between ten and twelve hours', ['10 h', '12 h']],
    ['10–12 million people', ['10000000', '12000000']],
    ['$5-7 million', ['5000000 $', '7000000 $']],
    ['$2.5bn, €3m, £40', ['2500000000 $', '3000000 EUR', '40 GBP']],
    ['2½ cups, 2 1/2 hours, 3/4 of it', ['2.5', '2.5 h', '75 %']],
    ['two-thirds, a quarter of the seats', ['66.666666667 %', '25 %']],
    ['1.8 × 10^-3 m, 5e3 W, 10⁶ Pa', ['0.0018 m', '5000 W', '1000000 Pa']],
    ['-5 °C to 41 °F', ['-5 °C', '41 °F']],
    ['1 h 30 min; 2 kg 500 g', ['1.5 h', '2.5 kg']],
    [
      '40 crowns per month, 5 % a year, 60 km/h, 3 times a day',
      ['40 crown per month', '5 % per yr', '60 km/h', '3 x per day'],
    ],
    ['10, 20 and 30 kg', ['10 kg', '20 kg', '30 kg']],
    ['5 working days, 30-day trial', ['5 working day', '30 day']],
    ['5 pounds of flour', ['5 lb']],
    ['a fee of 5 pounds', ['5 GBP']],
    ['mW 5 mW, 5 MW, 5 Nm, 5 nm', ['5 mW', '5 MW', '5 Nm', '5 nm']],
    ['version 1.2.3, ratio 16:9, agent 007, call 555-0134', ['code 1.2.3', 'code 16:9', 'code 007', 'code 555-0134']],
    ['section 4.10, paragraph 5a', ['code 4.10', 'code 5a']],
    ['the first of 12th and 21st', ['#1', '#12', '#21']],
    ['one of them, no one, the one who came', []],
    ['COVID-19, AB12, H2O', []],
    ['費用は3万円、１２％、30分間', ['30000 JPY', '12 %', '30 min']],
    ['twice, threefold, 3x', ['2 x', '3 x', '3 x']],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('ends of ranges and changes are told apart', () => {
    const roles = (text: string): (string | null)[] => quantities(text).map(({ role }) => role);
    expect(roles('10 to 12 days')).toEqual(['low', 'high']);
    expect(roles('the fee rose from 10 to 12 crowns')).toEqual(['from', 'to']);
    expect(roles('10 crowns and 12 kg')).toEqual([null, null]);
  });

  test('whole numbers are read back in each way of writing them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.constantFrom('', ',', ' ', "'"), (n, separator) => {
        const written = String(n).replace(/\B(?=(\d{3})+(?!\d))/g, separator);
        expect(quantities(`It weighs ${written} kg now.`)).toMatchObject([{ value: n, unit: { name: 'kg' } }]);
      }),
    );
  });

  test('spans are in order, do not overlap and give back the raw text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.,:/-% kgmhxtwo€–²\n'), maxLength: 60 });
    fc.assert(
      fc.property(text, (sample) => {
        let last = 0;
        for (const { start, end, raw } of quantities(sample)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(sample.slice(start, end)).toBe(raw);
          last = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  test('long texts of digits, spaces and separators take no long time', () => {
    const started = performance.now();
    for (const sample of [
      '1'.repeat(30_000),
      '1,'.repeat(10_000),
      ' '.repeat(30_000),
      'one '.repeat(5_000),
      '1 000 '.repeat(5_000),
    ])
      quantities(sample);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
