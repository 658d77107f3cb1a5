import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AdoptAnswerOutput } from '../../activities/adopt-answer.ts';
import { EvidenceError } from '../../adapters/store/port.ts';
import { citationSchema, groundingSchema } from '../../domain/contracts/answer.ts';
import { evidenceRefSchema } from '../../domain/contracts/evidence.ts';
import { groundAnswer } from '../../domain/review/answer-grounding.ts';
import { failureOf } from './answer-house.ts';
import { access } from './model-steps.ts';
import { openReviewerHouse, type ReviewerHouse } from './reviewer-house.ts';

let house: ReviewerHouse;
beforeAll(async () => {
  house = await openReviewerHouse();
});
afterAll(() => house.close());

const source = `Deposits

The deposit for a key at the harbour office
is 200 marks. It is paid back within 14 days.

- Boats: 500 marks
- Bicycles: 50 marks`;

/** What every adopted answer keeps to: quotes stand at their offsets in the page that is kept, and in a passage that can be read back. */
async function kept({ statements, citations, evidence, grounding }: AdoptAnswerOutput) {
  groundingSchema.parse(grounding);
  expect(grounding.statements).toHaveLength(statements.length);
  expect(citations.map(({ n }) => n)).toEqual(citations.map((_, index) => index + 1));
  const numbers = new Set(statements.flatMap((statement) => statement.citations));
  expect([...numbers].sort((a, b) => a - b)).toEqual(citations.map(({ n }) => n));
  expect(new Set(evidence.map(({ id }) => id))).toEqual(new Set(citations.map(({ evidenceId }) => evidenceId)));
  const passages = await house.passages(evidence.map(({ id }) => id));
  expect(passages).toHaveLength(evidence.length);
  for (const ref of evidence) expect(evidenceRefSchema.parse(ref)).toMatchObject({ origin: 'reviewer', score: 1 });
  for (const citation of citations) {
    const { documentId, evidenceId, start, end, quote } = citationSchema.parse(citation);
    const page = await house.deps.evidence.page(access.tenant, documentId);
    expect(page?.text.slice(start, end)).toBe(quote);
    const passage = passages.find(({ id }) => id === evidenceId);
    expect(passage?.text.slice(start - passage.start, end - passage.start)).toBe(quote);
    expect(page?.text.slice(passage?.start, passage?.end)).toBe(passage?.text);
  }
}

describe('an answer with a source', () => {
  test('cites the sentences that support it, word for word', async () => {
    const adopted = await house.adopt(
      'A deposit for a key at the harbour office is 200 marks.\n\nFor a boat:\n- Boats: 500 marks',
      source,
    );
    await kept(adopted);
    expect(adopted.grounding.method).toBe('rules');
    expect(adopted.statements[0]).toEqual({
      text: 'A deposit for a key at the harbour office is 200 marks.',
      citations: [1],
    });
    expect(adopted.citations[0]).toMatchObject({
      quote: 'The deposit for a key at the harbour office is 200 marks.',
      origin: 'reviewer',
      title: 'Keys of the harbour',
      uri: 'mailto:harbour@example.com',
    });
    expect(adopted.statements.at(-1)?.text).toBe('- Boats: 500 marks');
    expect(adopted.grounding.statements.at(-1)?.supported).toBe(true);
    expect(adopted.evidence[0]?.snippet).toContain('is 200 marks.');
  });

  test('may rest on several sentences at once, as one quote where they follow each other', async () => {
    const text = 'A deposit for a key at the harbour office is 200 marks and is paid back within 14 days.';
    const adopted = await house.adopt(text, source);
    await kept(adopted);
    expect(adopted.grounding).toMatchObject({ status: 'pass' });
    expect(adopted.citations.map(({ quote }) => quote)).toEqual([
      'The deposit for a key at the harbour office is 200 marks. It is paid back within 14 days.',
    ]);
  });

  test('that says something else does not pass, and it is said why of each statement', async () => {
    const adopted = await house.adopt(
      'A deposit for a key at the harbour office is 200 marks. A boat costs 700 marks.',
      source,
    );
    await kept(adopted);
    expect(adopted.grounding).toMatchObject({ status: 'needs_revision', method: 'rules' });
    expect(adopted.grounding.statements.map(({ supported }) => supported)).toEqual([true, false]);
    expect(adopted.grounding.statements[1]?.reason).toContain('700');
    const wrong = await house.adopt('The deposit is 9 marks.', source);
    expect(wrong.grounding.status).toBe('fail');
  });

  test('whose source holds no text does not pass, and cites nothing', async () => {
    const adopted = await house.adopt('A boat costs 700 marks.', '***');
    await kept(adopted);
    expect(adopted.grounding.statements).toEqual([{ supported: false, reason: 'the source holds no text' }]);
    expect(adopted.citations).toEqual([]);
  });

  test('is not supported by the title that the reviewer gives the source', async () => {
    const titled = { source: { title: 'A boat costs 700 marks.', uri: '', text: source } };
    expect((await house.adopt('A boat costs 700 marks.', source, titled)).grounding.status).toBe('fail');
  });

  test('that the reviewer vouches for rests on the reviewer’s own words where the source does not say so', async () => {
    const text = 'A deposit for a key at the harbour office is 200 marks. A boat costs 700 marks.';
    const adopted = await house.adopt(text, source, { vouched: true });
    await kept(adopted);
    expect(adopted.grounding).toMatchObject({ status: 'pass', method: 'reviewer' });
    expect(adopted.grounding.statements.map(({ reason }) => reason)).toEqual([
      'all rules hold',
      expect.stringMatching(/^vouched for by ada \(by the rules: .*700/),
    ]);
    expect(adopted.citations.map(({ title, uri, quote }) => [title, uri, quote])).toEqual([
      [
        'Keys of the harbour',
        'mailto:harbour@example.com',
        'The deposit for a key at the harbour office is 200 marks.',
      ],
      ['Answer of ada', '', 'A boat costs 700 marks.'],
    ]);
  });

  test('is judged as the same function judges it beforehand', async () => {
    const text = 'A deposit for a key at the harbour office is 200 marks. A boat costs 700 marks.';
    const before = await groundAnswer({ text, sourceText: source, vouched: false, reviewer: 'ada' }, () =>
      Promise.resolve(),
    );
    expect(before.grounding).toEqual((await house.adopt(text, source)).grounding);
  });
});

describe('an answer whose source is the reviewer', () => {
  test('cites itself, under the title that the reviewer gives', async () => {
    const adopted = await house.adopt('Keys are free since May.\nAsk at the desk:\n1. Show a card.\n2. Sign.', null);
    await kept(adopted);
    expect(adopted.grounding).toMatchObject({ status: 'pass', method: 'reviewer' });
    expect(adopted.grounding.statements[0]).toEqual({ supported: true, reason: 'ada is the source' });
    expect(adopted.statements.map(({ text }) => text)).toEqual(adopted.citations.map(({ quote }) => quote));
    expect(adopted.statements.at(-1)?.text).toBe('2. Sign.');
    expect(new Set(adopted.citations.map(({ title }) => title))).toEqual(new Set(['Keys of the harbour']));
    expect(adopted.evidence).toHaveLength(1);
  });

  test('may be as long as an answer can be', async () => {
    const text = Array.from({ length: 400 }, (_, n) => `Locker ${n} costs ${n + 3} marks a day.`)
      .join('\n')
      .slice(0, 20_000);
    const adopted = await house.adopt(text, null);
    await kept(adopted);
    expect(adopted.statements).toHaveLength(400);
  });

  test('that says nothing fails', async () => {
    expect(await house.adopt('***', null)).toMatchObject({
      statements: [],
      citations: [],
      grounding: { status: 'fail', statements: [] },
    });
  });

  test('is kept for its time and its tenant', async () => {
    const { evidence } = await house.adopt('Keys are free since May.', null, { keepHours: 2, authority: 70 });
    const { id = '', documentId = '' } = evidence[0] ?? {};
    const page = await house.deps.evidence.page(access.tenant, documentId);
    expect(page).toMatchObject({ authority: 70, text: 'Keys are free since May.' });
    expect((Date.parse(page?.expiresAt ?? '') - Date.now()) / 3_600_000).toBeCloseTo(2, 2);
    expect(await house.passages([id], 'another')).toEqual([]);
    const again = await house.adopt('Keys are free since May.', null);
    expect(again.evidence.map((ref) => ref.id)).toEqual([id]);
  });
});

const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    'The deposit is 200 marks.',
    '- Boats: 500 marks',
    '12. Mai 2025 ist der Stichtag.',
    '1. Show a card. Then sign',
    '費用は12です。',
    'it goes on',
    'Key | 200 marks',
    '\ud800',
    '',
  ),
);
const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'));

test('whatever is given, quotes stand at their offsets in what is kept', async () => {
  const given = fc.record({ text, sourceText: fc.option(text), vouched: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(given, async ({ text: answer, sourceText, vouched }) =>
      kept(await house.adopt(answer, sourceText, { vouched })),
    ),
    { numRuns: 150 },
  );
});

test('an evidence store that is away is an outage', async () => {
  const { evidence } = house.deps;
  const put = () => Promise.reject(new EvidenceError('unavailable', 'away', { retryable: true }));
  Object.assign(house.deps, { evidence: { ...evidence, put } });
  const failure = await failureOf(house.adopt('Keys are free.', null));
  Object.assign(house.deps, { evidence });
  expect(failure).toMatchObject({ type: 'EvidenceStore.Unavailable', nonRetryable: false });
});
