import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dates, dayMonthOrder } from '../../../domain/text/dates.ts';

/** Each date with the fields that it gives. */
function read(text: string): string[] {
  return dates(text).map(({ kind, year, month, day, part, minutes, weekdays, ambiguous }) => {
    if (kind === 'time') return `${Math.floor((minutes ?? 0) / 60)}:${String((minutes ?? 0) % 60).padStart(2, '0')}`;
    if (kind === 'weekday') return `day ${weekdays.join('')}`;
    return [part, year, month && `m${month}`, day && `d${day}`, ambiguous && '?'].filter(Boolean).join(' ');
  });
}

describe('dates', () => {
  test.each([
    ['2024-04-03', ['2024 m4 d3']],
    ['3 April 2024, April 3, 2024, 3rd of April 2024, Apr. 3', ['2024 m4 d3', '2024 m4 d3', '2024 m4 d3', 'm4 d3']],
    ['03/04/2024', ['2024 ?']],
    ['03/04/2024 (dd/mm)', ['2024 m4 d3']],
    ['03/04/2024 (mm/dd/yyyy)', ['2024 m3 d4']],
    ['13/04/2024', ['2024 m4 d13']],
    ['04/13/2024', ['2024 m4 d13']],
    ['03/04/2024 and 25/12/2024', ['2024 m4 d3', '2024 m12 d25']],
    ['03/04/2024 and 12/25/2024', ['2024 m3 d4', '2024 m12 d25']],
    ['03.04.2024', ['2024 m4 d3']],
    ['04/04/2024', ['2024 m4 d4']],
    ['April 2024, in 2024, in May', ['2024 m4', '2024', 'm5']],
    ['3–5 April 2024', ['2024 m4 d3', '2024 m4 d5']],
    ['2013–2015, 2023/24, the 1990s', ['2013', '2015', '2023', '2024', '1990s']],
    ['Q3 2024, the third quarter of 2023, 2024-Q1', ['Q3 2024', 'Q3 2023', 'Q1 2024']],
    ['14:30, 2:30 pm, 2 p.m., noon, 9–11 am', ['14:30', '14:30', '14:00', '12:00', '9:00', '11:00']],
    ['2024-04-03T14:30:00Z', ['2024 m4 d3', '14:30']],
    ['on Monday, Mon–Fri, Saturdays', ['day 1', 'day 12345', 'day 6']],
    ['2024年4月3日', ['2024 m4 d3']],
    ['会议于2024-04-03举行', ['2024 m4 d3']],
    ['2000 kg, page 1950, May I come, we March on, 1.2.3, 45/99/2024', []],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('what a text says of its order', () => {
    expect(dayMonthOrder('dates as dd/mm')).toBe('dmy');
    expect(dayMonthOrder('on 12/31/2024')).toBe('mdy');
    expect(dayMonthOrder('on 31/12/2024 and 12/31/2024')).toBeNull();
    expect(dayMonthOrder('on 01/02/2024')).toBeNull();
  });

  test('every calendar day is read back from each form', () => {
    const names = [
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
    const day = fc.date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2099-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, (at) => {
        const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
        const name = names[month - 1];
        for (const form of [
          at.toISOString().slice(0, 10),
          `${date} ${name} ${year}`,
          `${name} ${date}, ${year}`,
          `${date}.${month}.${year}`,
        ]) {
          expect(dates(`It starts on ${form}, at the latest.`)).toMatchObject([
            { year, month, day: date, ambiguous: false },
          ]);
        }
      }),
    );
  });
});
