import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GapGroup, GapReport } from '../../domain/contracts/gaps.ts';
import { plumbline } from './cli-process.ts';
import { openLearningHouse, people, type LearningHouse } from './learning-house.ts';

const { ann, clerk, banker, both } = people;
let house: LearningHouse;
beforeAll(async () => {
  house = await openLearningHouse();
  await house.take({
    'handbook.md':
      '# Handbook\n\nFull-time employees have 27 days of annual leave. Leave is requested two weeks ahead.\n',
    'pricing.md':
      '---\ngroups: [finance]\n---\n\n# Pricing\n\nA discount above 16 % must be approved by the finance director.\n',
  });
}, 120_000);
afterAll(() => house.close());

const leave = 'How many weeks of parental leave do new fathers get?';

/** Looks until what was just done has come to Temporal's list of runs. */
async function gaps(who = ann, { query = '', until }: { query?: string; until: (report: GapReport) => boolean }) {
  for (;;) {
    const response = await house.request(who, `/v1/gaps${query}`);
    expect(response.status).toBe(200);
    const report = (await response.json()) as GapReport;
    if (until(report)) return report;
  }
}
const groupOf = ({ groups }: GapReport, text: string): GapGroup | undefined =>
  groups.find(({ question }) => question.includes(text));

describe('questions that were not answered', () => {
  beforeAll(async () => {
    await house.ask(clerk, leave);
    await house.ask(clerk, 'How many weeks of parental leave do new fathers get??');
    await house.ask(clerk, 'How much parental leave does a new father have?');
    await house.ask(clerk, 'Who is the mayor of the town?');
    await house.ask(clerk, 'How many days of annual leave do full-time employees have?');
    await house.ask(both, 'Who approves a discount above 16 %, and how loud is the pump?');
  }, 120_000);

  test('are grouped by meaning, with why, and what would close them', async () => {
    const report = await gaps(both, { until: ({ questions }) => questions === 5 });
    expect(report).toMatchObject({ truncated: false, omitted: { closed: 0, open: 0 } });
    expect(report.groups.map(({ count }) => count)).toEqual([3, 1, 1]);
    expect(groupOf(report, 'parental leave')).toMatchObject({
      abstained: 3,
      partlyAnswered: 0,
      reviewed: 0,
      reasons: [
        { code: 'insufficient_evidence', count: 2 },
        { code: 'no_evidence', count: 1 },
      ],
      closed: false,
      closes: expect.arrayContaining([
        expect.stringMatching(/^the passages nearest are in Handbook; add the sentence/),
      ]),
    });
    expect(groupOf(report, 'mayor')).toMatchObject({
      reasons: [{ code: 'no_evidence', count: 1 }],
      closes: ['a document that says: Who is the mayor of the town'],
    });
    expect(groupOf(report, 'pump')).toMatchObject({
      partlyAnswered: 1,
      missing: [expect.stringContaining('how loud is the pump')],
      closes: [expect.stringMatching(/^a document that says: .*how loud is the pump/)],
    });
  });

  test('are told only to those who may see them', async () => {
    const report = await gaps(banker, { until: () => true });
    expect(report).toMatchObject({ questions: 0, groups: [] });
    expect(groupOf(await gaps(clerk, { until: () => true }), 'pump')).toBeUndefined();
  });

  test('since a time, and so many of them', async () => {
    const report = await gaps(both, { query: '?since=30d&limit=1', until: () => true });
    expect(report).toMatchObject({ groups: [{ count: 3 }], omitted: { open: 2, closed: 0 } });
    expect((await house.request(both, '/v1/gaps?since=tomorrow')).status).toBe(422);
  });
});

describe('a question that a person was asked about', () => {
  const question = 'Where is the spare key of the safe?';
  let id: string;
  beforeAll(async () => {
    ({ id } = await house.ask(clerk, question, 'reviewed'));
  });

  test('waits for a decision, then for its publication, and is closed by it', async () => {
    const way = (report: GapReport) => groupOf(report, 'spare key')?.closes[0] ?? '';
    await gaps(ann, { until: (report) => way(report) === `a reviewer's decision: plumbline review show ${id}` });
    const source = { title: 'Circular 7', uri: '', text: null };
    await house.decide(id, { kind: 'answer', text: 'It is in the drawer.', source, vouched: false });
    const publishIt = `publish the reviewed answer: plumbline review publish ${id}`;
    await gaps(ann, { until: (report) => way(report) === publishIt });

    const { status } = await house.request(ann, `/v1/reviews/${id}/publication`, { method: 'POST', body: {} });
    expect(status).toBe(200);
    const report = await gaps(ann, { until: ({ omitted }) => omitted.closed === 1 });
    expect(groupOf(report, 'spare key')).toBeUndefined();
    const all = await gaps(ann, { query: '?all=true', until: () => true });
    expect(all.groups.at(-1)).toMatchObject({ question, closed: true, reviewed: 1, closes: [] });
  });

  test('is open again when that is withdrawn, although it was answered from it meanwhile', async () => {
    expect(await house.ask(clerk, question)).toMatchObject({ status: 'answered' });
    const response = await house.request(ann, `/v1/reviews/${id}/publication`, { method: 'DELETE' });
    expect(response.status).toBe(204);
    const report = await gaps(ann, { until: ({ omitted }) => omitted.closed === 0 });
    const closes = [`publish the reviewed answer: plumbline review publish ${id}`];
    expect(groupOf(report, 'spare key')).toMatchObject({ closed: false, count: 1, closes });
  });
});

describe('questions of one frame that ask for different things', () => {
  test('are gaps of their own: an answer to the one leaves the other open', async () => {
    const [geese, door, swans] = await Promise.all(
      ['geese guard the gate', 'geese guard the door', 'swans guard the gate'].map((words) =>
        house.ask(clerk, `Which ${words}?`, 'reviewed'),
      ),
    );
    const source = { title: 'Circular 8', uri: '', text: null };
    const id = swans?.id ?? '';
    await house.decide(id, { kind: 'answer', text: 'The swans Ada and Bo.', source, vouched: false });
    expect((await house.request(ann, `/v1/reviews/${id}/publication`, { method: 'POST', body: {} })).status).toBe(200);

    const report = await gaps(ann, {
      query: '?all=true',
      until: (all) => groupOf(all, 'swans guard')?.closed === true,
    });
    const waits = (view: typeof geese) => ({
      count: 1,
      closed: false,
      closes: [`a reviewer's decision: plumbline review show ${view?.id}`],
    });
    expect(groupOf(report, 'geese guard the gate')).toMatchObject(waits(geese));
    expect(groupOf(report, 'geese guard the door')).toMatchObject(waits(door));
    expect(groupOf(report, 'swans guard the gate')).toMatchObject({ count: 1, closed: true, closes: [] });
  });
});

test('plumbline gaps prints them', async () => {
  const env = { PLUMBLINE_URL: house.url, PLUMBLINE_TOKEN: both.token };
  const { exitCode, stdout, stderr } = await plumbline(['gaps', '--limit', '2', '--all'], { env });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^3× How .*\n {3}3 abstained \(insufficient_evidence 2, no_evidence 1\); last asked [\d-]+\n {3}→ a document/,
  );
  expect(stderr).toMatch(
    /^9 questions asked since [\d-]+: not answered, or not without a person\. 5 more groups: --limit shows them\.\n$/,
  );
  const json = await plumbline(['gaps', '--json'], { env });
  expect(JSON.parse(json.stdout)).toMatchObject({ groups: expect.any(Array), truncated: false });
});
