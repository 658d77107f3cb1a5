import { describe, expect, test } from '@jest/globals';
import { checkGrounding, type GroundingStatement } from '../../../domain/grounding/check-grounding.ts';
import type { GroundingCitation, GroundingSource } from '../../../domain/grounding/premise.ts';
import { groundingSchema } from '../../../domain/contracts/answer.ts';
import { judge } from './judge.ts';

const trial = 'Silo holds 2,460 kg; outage lasted 48 minutes on 03/04/2024 (dd/mm); fee must not exceed 12%';

describe('a number that is in no source', () => {
  test.each(['about 2.9 tonnes', '48 hours', 'March 4', 'fee is at least 12%'])('%s is rejected', (statement) => {
    expect(judge(statement, trial).supported).toBe(false);
  });
  test.each(['2460 kg', '2.46 tonnes', '3 April 2024', 'at most 12%'])('%s is accepted', (statement) => {
    expect(judge(statement, trial)).toMatchObject({ supported: true });
  });
  test.each([
    ['The silo holds about 2.9 tonnes.', '2.9 tonnes'],
    ['The outage lasted 48 hours.', '48 hours'],
    ['The outage was on March 4.', 'March 4'],
    ['The fee is at least 12%.', '12%'],
  ])('the reason names the value: %s', (statement, value) => {
    const { supported, reason } = judge(statement, trial);
    expect(supported).toBe(false);
    expect(reason).toContain(value);
    expect(reason.length).toBeLessThan(160);
  });
  test.each([
    'The silo holds 2460 kg.',
    'The silo holds 2.46 tonnes.',
    'The outage was on 3 April 2024.',
    'The outage lasted 0.8 hours.',
    'The fee is at most 12 percent.',
  ])('in a sentence: %s is accepted', (statement) => {
    expect(judge(statement, trial)).toMatchObject({ supported: true });
  });
});

const accepted: [rule: string, source: string, statement: string][] = [
  ['mass', 'The crate weighs 1,200 g.', 'The crate weighs 1.2 kg.'],
  ['pounds', 'The crate weighs 10 lb.', 'The crate weighs 4.5359237 kg.'],
  ['length', 'The beam is 2.5 m long.', 'The beam is 250 cm long.'],
  ['duration', 'The test takes 90 minutes.', 'The test takes 1 h 30 min.'],
  ['duration in words', 'The test takes an hour.', 'The test takes 60 minutes.'],
  ['weeks and days', 'Delivery takes two weeks.', 'Delivery takes 14 days.'],
  ['years and months', 'The warranty lasts 2 years.', 'The warranty lasts 24 months.'],
  ['temperature', 'Store the vials at 5 °C.', 'Store the vials at 41 °F.'],
  ['volume', 'The tank holds 2 m³.', 'The tank holds 2000 litres.'],
  ['area', 'The plot covers 3 hectares.', 'The plot covers 30,000 m².'],
  ['pressure', 'The valve opens at 2.5 bar.', 'The valve opens at 250 kPa.'],
  ['torque', 'Tighten the bolt to 40 Nm.', 'Tighten the bolt to 40 newton metres.'],
  ['power', 'The motor draws 1.5 kW.', 'The motor draws 1500 W.'],
  ['energy', 'The pack stores 2 kWh.', 'The pack stores 7.2 MJ.'],
  ['data', 'The log grows to 2 GB.', 'The log grows to 2000 MB.'],
  ['currency sign and code', 'The deposit is €200.', 'The deposit is 200 euros.'],
  ['a vaguer currency name', 'The deposit is US$200.', 'The deposit is 200 dollars.'],
  ['percent forms', 'The rate is 12 %.', 'The rate is twelve per cent.'],
  ['thin separators', 'The stock is 2 460 units.', 'The stock is 2,460 units.'],
  ['decimal comma', 'Der Satz beträgt 3,5 % und 1.250,00 EUR.', 'Der Satz beträgt 3.5 % und 1250 EUR.'],
  ['number words', 'The team has twenty-one members.', 'The team has 21 members.'],
  ['millions', 'The fund holds 2.5 million crowns.', 'The fund holds 2,500,000 crowns.'],
  ['fractions', 'Half of the seats are reserved.', '50% of the seats are reserved.'],
  ['a range', 'Repairs take 10–12 days.', 'Repairs take between 10 and 12 days.'],
  ['the lower end of a range', 'Repairs take 10 to 12 days.', 'Repairs take at least 10 days.'],
  ['multiples', 'Output was three times the plan.', 'Output was 3x the plan.'],
  ['rates', 'The fee is 40 crowns per month.', 'The monthly fee is 40 crowns.'],
  ['a bare number', 'The hall seats 300 guests.', 'The hall seats 300.'],
  ['ordinals', 'The office is on the 3rd floor.', 'The office is on the third floor.'],
  ['a unit in the header', 'Crate | 2460', 'The crate: 2460'],
  ['date forms', 'The plan starts on 2024-04-03.', 'The plan starts on April 3, 2024.'],
  ['less of a date', 'The plan starts on 3 April 2024.', 'The plan starts in April 2024.'],
  ['an impossible month gives the order', 'Opened 03/04/2024, closed 25/04/2024.', 'Opened 3 April 2024.'],
  ['dotted dates are day first', 'Opened on 03.04.2024.', 'Opened on 3 April 2024.'],
  ['an ambiguous date in its own form', 'Opened on 03/04/2024.', 'It opened on 03/04/2024.'],
  ['times of day', 'The gate closes at 14:30.', 'The gate closes at 2:30 pm.'],
  ['weekdays in a range', 'The desk is open Monday to Friday.', 'The desk is open on Wednesday.'],
  ['quarters', 'Revenue peaked in the third quarter of 2023.', 'Revenue peaked in Q3 2023.'],
  ['identifiers', 'Fault E-0417/b means the shutter is jammed.', 'E-0417/b means the shutter is jammed.'],
  ['upper bound', 'The load must not exceed 500 kg.', 'The maximum load is 500 kg.'],
  ['upper bound from a stricter one', 'Waiting times are under 30 minutes.', 'Waiting times are at most 30 minutes.'],
  ['lower bound', 'Applicants must be 18 years or older.', 'Applicants must be at least 18 years.'],
  ['negation kept', 'The deposit is not refundable.', 'The deposit is non-refundable.'],
  ['cannot and not able', 'The seal cannot be reused.', 'The seal can not be reused.'],
  ['not only is no negation', 'The pass is not only valid on buses.', 'The pass is valid on buses.'],
  ['prohibition', 'Smoking is prohibited in the hall.', 'Smoking is not allowed in the hall.'],
  ['duty', 'Visitors must wear a badge.', 'Visitors have to wear a badge.'],
  [
    'part of a longer sentence',
    'The pump, made in Norberg, moves 40 litres per minute.',
    'The pump moves 40 litres per minute.',
  ],
  ['inflected words', 'Refunding requests are approved by the treasurer.', 'The treasurer approves refund requests.'],
  ['Chinese', '設備点検は毎月第二火曜日に行う。費用は3万円です。', '費用は30000円です。'],
  ['Chinese dates', '会议于2024年4月3日举行。', '会议于2024-04-03举行。'],
];

const rejected: [rule: string, source: string, statement: string][] = [
  ['rounding', 'The silo holds 2,460 kg.', 'The silo holds 2.5 tonnes.'],
  ['rounding, said so', 'The silo holds 2,460 kg.', 'The silo holds about 2,500 kg.'],
  ['unit', 'The outage lasted 48 minutes.', 'The outage lasted 48 hours.'],
  ['a unit that the source does not give', 'The reading was 48.', 'The reading was 48 kg.'],
  ['months are not days', 'The notice period is 1 month.', 'The notice period is 30 days.'],
  ['working days are not days', 'Refunds take 5 working days.', 'Refunds take 5 days.'],
  ['currency', 'The deposit is 200 crowns.', 'The deposit is 200 marks.'],
  ['a currency more exact than the source', 'The deposit is $200.', 'The deposit is 200 USD.'],
  ['percentage points', 'The rate rose by 2 percentage points.', 'The rate rose by 2 %.'],
  ['tons and tonnes', 'The truck carries 3 tons.', 'The truck carries 3000 kg.'],
  ['thousands without a hint', 'The silo holds 2.460 kg.', 'The silo holds 2460 kg.'],
  ['magnitude', 'The fund holds 2.5 million crowns.', 'The fund holds 2.5 billion crowns.'],
  ['invented number', 'The team has a large budget.', 'The team has a large budget of 300 crowns.'],
  ['number word', 'The team has twelve members.', 'The team has twenty members.'],
  ['ordinal', 'The office is on the third floor.', 'The office is on the second floor.'],
  ['multiple', 'Output doubled.', 'Output tripled.'],
  ['one end of a range', 'Repairs take 10–12 days.', 'Repairs take 10 days.'],
  ['ends of a change', 'The fee rose from 10 to 12 crowns.', 'The fee rose from 12 to 10 crowns.'],
  ['rate', 'The fee is 40 crowns per month.', 'The fee is 40 crowns per year.'],
  ['a rate dropped', 'The fine is 5 crowns per day.', 'The fine is 5 crowns.'],
  ['version numbers', 'Use version 1.2.3 of the driver.', 'Use version 1.2.4 of the driver.'],
  ['sign', 'Store the vials at -20 °C.', 'Store the vials at 20 °C.'],
  ['of something else', 'Gold costs 55 crowns. Silver costs 40 crowns.', 'Gold costs 40 crowns.'],
  ['swapped in one sentence', 'There were 48 patients and 12 doctors.', 'There were 12 patients and 48 doctors.'],
  ['day', 'The plan starts on 3 April 2024.', 'The plan starts on 4 April 2024.'],
  ['day and month', 'The plan starts on 3 April 2024.', 'The plan starts on 4 March 2024.'],
  ['year', 'The plan starts on 3 April 2024.', 'The plan starts on 3 April 2025.'],
  ['a year that is nowhere', 'The plan starts on 3 April.', 'The plan starts on 3 April 2024.'],
  ['a guessed order', 'Opened on 03/04/2024.', 'Opened on 3 April 2024.'],
  ['a guessed order, the other way', 'Opened on 03/04/2024.', 'Opened on March 4, 2024.'],
  ['an ambiguous date turned', 'Opened on 03/04/2024.', 'Opened on 04/03/2024.'],
  ['half of the day', 'The gate closes at 2:30 pm.', 'The gate closes at 2:30 am.'],
  ['weekday', 'The desk is open Monday to Friday.', 'The desk is open on Saturday.'],
  ['quarter', 'Revenue peaked in Q3 2023.', 'Revenue peaked in Q2 2023.'],
  ['before and after', 'Apply before 3 April 2024.', 'Apply after 3 April 2024.'],
  ['identifier', 'Fault E-0417/b means the shutter is jammed.', 'E-0417/c means the shutter is jammed.'],
  ['identifier case', 'Order part Q7-Lima.', 'Order part q7-Lima.'],
  ['identifier zero', 'Fault E-0417/b means the shutter is jammed.', 'E-417/b means the shutter is jammed.'],
  ['identifier slash', 'Fault E-0417/b means the shutter is jammed.', 'E-0417-b means the shutter is jammed.'],
  ['identifier of something else', 'E-0417/b: shutter jammed. E-0418/b: cover open.', 'E-0417/b: cover open.'],
  ['upper bound made lower', 'The load must not exceed 500 kg.', 'The load must exceed 500 kg.'],
  ['bound dropped', 'The fee must not exceed 12%.', 'The fee is 12%.'],
  ['bound added', 'The fee is 12%.', 'The fee is at most 12%.'],
  ['strict bound from a weak one', 'Waiting times are at most 30 minutes.', 'Waiting times are under 30 minutes.'],
  ['about hardened', 'About 40 guests came.', '40 guests came.'],
  ['minimum and maximum', 'The minimum age is 18.', 'The maximum age is 18.'],
  ['fewer and more', 'Fewer than 20 people attended.', 'More than 20 people attended.'],
  ['not dropped', 'The deposit is not refundable.', 'The deposit is refundable.'],
  ['not added', 'The deposit is refundable.', 'The deposit is not refundable.'],
  ['never', 'The valve never opens by itself.', 'The valve opens by itself.'],
  ['without', 'Entry without a permit is possible.', 'Entry with a permit is possible.'],
  ['neither', 'Neither the tent nor the stove is insured.', 'The tent and the stove are insured.'],
  ['prefix', 'The service is available on Sundays.', 'The service is unavailable on Sundays.'],
  ['exception dropped', 'Fees are refunded unless the seat was used.', 'Fees are refunded.'],
  ['only added', 'Members can enter the archive.', 'Only members can enter the archive.'],
  ['the other half of the sentence', 'The deposit is refundable, but the fee is not.', 'The fee is refundable.'],
  ['duty to permission', 'Visitors must wear a badge.', 'Visitors may wear a badge.'],
  ['duty to prohibition', 'Visitors must wear a badge.', 'Visitors must not wear a badge.'],
  ['advice to duty', 'Visitors should wear a badge.', 'Visitors must wear a badge.'],
  ['hedge dropped', 'The coating may cause rashes.', 'The coating causes rashes.'],
  ['some to all', 'Some members have a key.', 'All members have a key.'],
  ['direction', 'Prices increased in the north.', 'Prices decreased in the north.'],
  ['comparison turned', 'The Alder is heavier than the Birch.', 'The Birch is heavier than the Alder.'],
  ['a name that is not there', 'The permit holder is Marlo Quist.', 'The permit holder is Tilda Marsh.'],
  ['a place that is not there', 'The depot moved to Norberg.', 'The depot moved to Velby.'],
  ['one word changed', 'The router supports wireless roaming.', 'The router supports wireless charging.'],
  ['other content', 'The deposit is 200 marks.', 'Parking is free for residents.'],
  ['nothing to check', 'The deposit is 200 marks.', '…'],
  ['Chinese number', '費用は3万円です。', '費用は3千円です。'],
  ['German unit', 'Der Ausfall dauerte 48 Minuten.', 'Der Ausfall dauerte 48 Stunden.'],
];

describe('statements that follow from their source', () => {
  test.each(accepted)('%s: "%s" supports "%s"', (_, source, statement) => {
    expect(judge(statement, source)).toMatchObject({ supported: true });
  });
});

describe('statements that do not follow from their source', () => {
  test.each(rejected)('%s: "%s" does not support "%s"', (_, source, statement) => {
    const { supported, reason } = judge(statement, source);
    expect(supported).toBe(false);
    expect(reason).not.toBe('');
  });
});

describe('citations', () => {
  const text = 'Members pay 40 crowns. The hall opens at 9:00.';
  const source: GroundingSource = { text, start: 100, context: 'Fees' };
  const citation: GroundingCitation = { n: 1, evidenceId: 'a', quote: 'Members pay 40 crowns.', start: 100, end: 122 };
  const statement: GroundingStatement = { text: 'Members pay 40 crowns.', citations: [1] };
  const check = (statements: GroundingStatement[], citations: GroundingCitation[], sources = { a: source }) =>
    checkGrounding(statements, citations, sources);

  test('a verbatim sentence passes, and the result fits the contract', () => {
    const result = check([statement], [citation]);
    expect(result).toEqual({
      status: 'pass',
      method: 'rules',
      statements: [{ supported: true, reason: 'word for word' }],
    });
    expect(groundingSchema.safeParse(result).success).toBe(true);
  });
  test('sources may be a Map', () => {
    expect(checkGrounding([statement], [citation], new Map([['a', source]])).status).toBe('pass');
  });
  test.each([
    ['no citation', { ...statement, citations: [] }, citation, 'no citation'],
    ['an unknown citation', { ...statement, citations: [2] }, citation, '[2] does not exist'],
    ['evidence that was not given', statement, { ...citation, evidenceId: 'b' }, 'not given'],
    ['a quote that is not verbatim', statement, { ...citation, quote: 'Members pay 41 crowns.' }, 'word for word'],
    ['shifted offsets', statement, { ...citation, start: 101, end: 123 }, 'word for word'],
    ['offsets of another length', statement, { ...citation, end: 123 }, 'word for word'],
    ['an empty quote', statement, { ...citation, quote: '', end: 100 }, 'word for word'],
    ['offsets before the passage', statement, { ...citation, start: 0, end: 22 }, 'word for word'],
  ])('%s is unsupported', (...[, given, cited, reason]) => {
    const [judged] = check([given], [cited]).statements;
    expect(judged?.supported).toBe(false);
    expect(judged?.reason).toContain(reason);
  });
  test('one bad citation of two makes the statement unsupported', () => {
    const bad = { ...citation, n: 2, quote: 'The hall opens at 8:00.', start: 123, end: 146 };
    expect(check([{ ...statement, citations: [1, 2] }], [citation, bad]).statements[0]?.supported).toBe(false);
  });
  test('no statement at all fails; some unsupported ones need a revision', () => {
    expect(check([], []).status).toBe('fail');
    expect(check([{ text: 'Members pay 50 crowns.', citations: [1] }], [citation]).status).toBe('fail');
    expect(check([statement, { text: 'Members pay 50 crowns.', citations: [1] }], [citation]).status).toBe(
      'needs_revision',
    );
  });
  test('a quote torn out of its sentence does not hide the negation', () => {
    const whole = 'It is not true that the fee is 12 %.';
    const quote = 'the fee is 12 %';
    const start = whole.indexOf(quote);
    const torn = { n: 1, evidenceId: 'a', quote, start, end: start + quote.length };
    expect(
      checkGrounding([{ text: 'The fee is 12 %.', citations: [1] }], [torn], {
        a: { text: whole, start: 0, context: '' },
      }).status,
    ).toBe('fail');
  });
  test('a figure from the rest of the passage is accepted with a note', () => {
    const judged = check([{ text: 'Members pay 40 crowns; the hall opens at 9:00.', citations: [1] }], [citation])
      .statements[0];
    expect(judged).toEqual({ supported: false, reason: expect.stringContaining('%') });
    const dated = { text: 'Members pay 40 crowns. In 2024 members pay no other fee.', start: 0, context: '' };
    const cited = { ...citation, start: 0, end: 22 };
    const result = checkGrounding([{ text: 'Members pay 40 crowns in 2024.', citations: [1] }], [cited], { a: dated })
      .statements[0];
    expect(result).toEqual({ supported: true, reason: '"2024" stands in the passage, outside of the quote' });
  });
  test('two quotes of two sources support one statement', () => {
    const other = { text: 'The hall is in Norberg.', start: 0, context: '' };
    const second = { n: 2, evidenceId: 'b', quote: other.text, start: 0, end: other.text.length };
    const joint = { text: 'Members pay 40 crowns; the hall is in Norberg.', citations: [1, 2] };
    expect(checkGrounding([joint], [citation, second], { a: source, b: other }).status).toBe('pass');
  });
});

describe('table rows', () => {
  const header = 'Plan | Price | Load (kg)';
  const row = 'Gold | 40 crowns | 2460';
  const text = `${header}\n${row}\nSilver | 30 crowns | 1200`;
  const cite = (n: number, quote: string, from = text): GroundingCitation => {
    const start = from.indexOf(quote);
    return { n, evidenceId: 'a', quote, start, end: start + quote.length };
  };
  const judgeRow = (statement: string): { supported: boolean } | undefined =>
    checkGrounding([{ text: statement, citations: [1, 2] }], [cite(1, row), cite(2, header)], {
      a: { text, start: 0, context: '' },
    }).statements[0];

  test.each(['Plan: Gold; Price: 40 crowns; Load (kg): 2460', 'Plan: Gold; Price: 40 crowns.', 'Price: 40 crowns'])(
    '%s is supported',
    (statement) => {
      expect(judgeRow(statement)?.supported).toBe(true);
    },
  );
  test.each([
    'Plan: Gold; Price: 30 crowns; Load (kg): 2460',
    'Plan: Silver; Price: 40 crowns',
    'Price: Gold; Plan: 40 crowns',
    'Plan: Gold; Price: 2460',
    'Plan: Gold; Price: 40 crowns; Colour: green',
  ])('%s is not', (statement) => {
    expect(judgeRow(statement)?.supported).toBe(false);
  });
  test('the header may stand in the context', () => {
    const source = { text: row, start: 500, context: `Price list\n${header}` };
    const cited = { n: 1, evidenceId: 'a', quote: row, start: 500, end: 500 + row.length };
    const check = (statement: string): string =>
      checkGrounding([{ text: statement, citations: [1] }], [cited], { a: source }).status;
    expect(check('Plan: Gold; Price: 40 crowns; Load (kg): 2460')).toBe('pass');
    expect(check('Plan: Gold; Load (kg): 40 crowns')).toBe('fail');
    expect(check('The Gold plan has a load of 2460 kg.')).toBe('pass');
  });
  test('a column without a header has its cell alone', () => {
    const table = ' | Price\nGold | 40 crowns';
    const [head, line] = [' | Price', 'Gold | 40 crowns'];
    const citations = [cite(1, line, table), cite(2, head, table)];
    const check = (statement: string): string =>
      checkGrounding([{ text: statement, citations: [1, 2] }], citations, { a: { text: table, start: 0, context: '' } })
        .status;
    expect(check('Gold; Price: 40 crowns')).toBe('pass');
    expect(check('Silver; Price: 40 crowns')).toBe('fail');
  });
});

test('an item of a numbered list is word for word', () => {
  const text = 'Steps\n1. Do not open the valve unless the pump is off\n2. Wait';
  const quote = 'Do not open the valve unless the pump is off';
  const start = text.indexOf(quote);
  const cited = { n: 1, evidenceId: 'a', quote, start, end: start + quote.length };
  const source = { text, start: 0, context: '' };
  expect(checkGrounding([{ text: quote, citations: [1] }], [cited], { a: source }).statements[0]?.reason).toBe(
    'word for word',
  );
});
