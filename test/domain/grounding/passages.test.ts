import { describe, expect, test } from '@jest/globals';
import { judge } from './judge.ts';

/** Passages that say several things, and whether they support each statement. */
const passages: [passage: string, statements: [statement: string, supported: boolean][]][] = [
  [
    'The permit for the north pier and its two cranes was granted to Marlo Quist in Norberg.',
    [
      ['Marlo Quist got the permit that was granted for the two cranes of the north pier.', true],
      ['Tilda Quist got the permit that was granted for the two cranes of the north pier.', false],
      ['In Velby, the permit for the north pier and its two cranes was granted.', false],
    ],
  ],
  [
    'The warehouse keeps 48 crates for the harbour office and sends a list every Friday.',
    [
      ['The harbour office has 48 crates in the warehouse.', true],
      ['The harbour office has 48 barrels in the warehouse.', false],
    ],
  ],
  [
    'The silo holds 2,460 kg of barley and was last inspected on 12 May 2023 by Tilda Marsh.',
    [
      ['The silo holds 2,460 kilograms of barley.', true],
      ['The silo holds 2,406 kg of barley.', false],
      ['The silo holds nearly 2.5 tonnes of barley.', false],
      ['Tilda Marsh inspected the silo on 12 May 2023.', true],
      ['The silo was last inspected in May 2023.', true],
      ['The silo was inspected in 2022.', false],
      ['The silo was last inspected by Marlo Quist.', false],
      ['The silo holds 2.46 t of barley.', true],
      ['The silo holds two thousand four hundred and sixty kg of barley.', true],
      ['The silo holds 2460 kg of wheat.', false],
    ],
  ],
  [
    'Members may cancel within 14 days of purchase without giving a reason.',
    [
      ['Members can cancel within 14 days of purchase.', true],
      ['Members may cancel within 14 weeks of purchase.', false],
      ['Members must cancel within 14 days of purchase.', false],
      ['Members may not cancel within 14 days of purchase.', false],
      ['Members may cancel after 14 days of purchase.', false],
      ['Members may cancel within 14 days of purchase without giving a reason.', true],
      ['Members may cancel within 14 days of purchase, giving a reason.', false],
    ],
  ],
  [
    'The late fee is 12 %, but never more than 50 crowns per invoice.',
    [
      ['The late fee is 12 %.', true],
      ['The late fee is at most 50 crowns per invoice.', true],
      ['The late fee can exceed 50 crowns per invoice.', false],
      ['The late fee is 50 crowns per invoice.', false],
      ['The late fee is capped at 50 crowns per invoice.', true],
      ['The late fee is always more than 50 crowns per invoice.', false],
      ['The late fee is twelve percent.', true],
      ['The late fee is 12 crowns.', false],
    ],
  ],
  [
    'Temperatures between 2 and 8 °C are required; the vaccine must not be frozen.',
    [
      ['The vaccine must be stored between 2 and 8 °C.', false],
      ['Temperatures of 2–8 °C are required.', true],
      ['Temperatures of at least 2 °C are required.', true],
      ['The vaccine may be frozen.', false],
      ['The vaccine must be frozen.', false],
      ['The vaccine must not be frozen.', true],
      ['Temperatures between 2 and 8 °F are required.', false],
      ['Temperatures between -2 and 8 °C are required.', false],
    ],
  ],
  [
    'Sales grew from 3.2 million euros in 2021 to 4.1 million euros in 2022.',
    [
      ['Sales grew to 4.1 million euros in 2022.', true],
      ['Sales grew from 3.2 million euros in 2021.', true],
      ['Sales fell from 4.1 million euros to 3.2 million euros.', false],
      ['Sales grew to 3.2 million euros in 2022.', false],
      ['Sales grew to 4.1 million dollars in 2022.', false],
      ['Sales grew to €4.1m in 2022.', true],
      ['Sales grew to 4.1 billion euros in 2022.', false],
    ],
  ],
  [
    'The desk is open Mon–Fri 9:00–17:00; on Saturdays it closes at noon.',
    [
      ['The desk closes at 12:00 on Saturdays.', true],
      ['The desk is open on Sundays.', false],
      ['The desk is open Monday to Friday from 9 am to 5 pm.', true],
      ['On Saturdays the desk closes at 5 pm.', false],
      ['The desk is open Monday to Friday until 18:00.', false],
    ],
  ],
  [
    'Warranty claims must be made within two years; batteries are covered for six months only.',
    [
      ['Batteries are covered for 6 months.', true],
      ['Batteries are covered for two years.', false],
      ['Warranty claims must be made within 24 months.', true],
      ['Warranty claims must be made within 730 days.', false],
    ],
  ],
  [
    'No pets are allowed in the cabins, except guide dogs.',
    [
      ['Pets are allowed in the cabins.', false],
      ['No pets are allowed in the cabins, except guide dogs.', true],
      ['Guide dogs are allowed in the cabins.', false],
      ['Pets are not allowed in the cabins.', false],
      ['Pets are not allowed in the cabins, except guide dogs.', true],
    ],
  ],
  [
    'Der Vertrag läuft 24 Monate und endet am 31.12.2025; die Gebühr beträgt 1.250,50 EUR.',
    [
      ['Der Vertrag läuft 24 Monate.', true],
      ['Der Vertrag endet am 31.12.2025.', true],
      ['Der Vertrag endet am 31.12.2026.', false],
      ['Die Gebühr beträgt 1250,50 EUR.', true],
      ['Die Gebühr beträgt 1.250,50 EUR.', true],
      ['Die Gebühr beträgt 1.205,50 EUR.', false],
      ['Der Vertrag läuft 24 Jahre.', false],
    ],
  ],
  [
    'The X4 rail carries the motor shutter (MS); fault E-0417/b means MS is jammed.',
    [
      ['Fault E-0417/b means the motor shutter is jammed.', true],
      ['E-0417/b means that MS is jammed.', true],
      ['E-0471/b means that MS is jammed.', false],
      ['E-0417/B means that MS is jammed.', false],
      ['The X5 rail carries the motor shutter.', false],
    ],
  ],
  [
    'Half of the 48 applicants were rejected; 24 were admitted.',
    [
      ['24 of the 48 applicants were admitted.', true],
      ['50 % of the applicants were rejected.', true],
      ['A third of the applicants were rejected.', false],
      ['All applicants were admitted.', false],
    ],
  ],
  [
    'The meeting is on the second Tuesday of each month at 10:00.',
    [
      ['The meeting is on the second Tuesday of each month.', true],
      ['The meeting is on the third Tuesday of each month.', false],
      ['The meeting is on the second Thursday of each month.', false],
      ['The meeting is at 10 am on the second Tuesday of each month.', true],
      ['The meeting is at 10 pm on the second Tuesday of each month.', false],
    ],
  ],
  [
    'Only employees with more than five years of service are eligible for the sabbatical.',
    [
      ['Employees with more than 5 years of service are eligible for the sabbatical.', true],
      ['Employees with at least 5 years of service are eligible for the sabbatical.', true],
      ['Employees with less than five years of service are eligible for the sabbatical.', false],
      ['All employees are eligible for the sabbatical.', false],
      ['Employees with more than five years of service are ineligible for the sabbatical.', false],
    ],
  ],
  [
    'Tickets cost $15 for adults and $8 for children under 12.',
    [
      ['Tickets for children cost $8.', true],
      ['Tickets for adults cost $8.', false],
      ['Tickets for adults cost $15.', true],
      ['Tickets cost 15 dollars for adults.', true],
      ['Tickets cost €15 for adults.', false],
      ['Children over 12 pay $8.', false],
      ['Children pay $15.', false],
    ],
  ],
  [
    'The bridge is 1.2 km long, 14 metres wide and was opened in 1987.',
    [
      ['The bridge is 1200 m long.', true],
      ['The bridge is 14 m long.', false],
      ['The bridge was opened in 1978.', false],
      ['The bridge opened in 1987.', true],
      ['The bridge is 1,200 metres long and 14 metres wide.', true],
    ],
  ],
  [
    'プランAは月額3,000円、プランBは月額5,000円です。',
    [
      ['プランAは月額3,000円です。', true],
      ['プランAは月額3000円です。', true],
      ['プランAは月額4,000円です。', false],
    ],
  ],
  [
    '设备检查于每月第二个星期二进行，费用为1200元。',
    [
      ['费用为1200元。', true],
      ['费用为1300元。', false],
      ['费用为1,200元', true],
    ],
  ],
];

describe.each(passages)('"%s"', (passage, statements) => {
  test.each(statements)('%s: %s', (statement, supported) => {
    expect(judge(statement, passage)).toMatchObject({ supported });
  });
});
