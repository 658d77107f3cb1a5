import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { GenerateOutput } from '../../activities/generate.ts';
import type { StoredPassage } from '../../adapters/index/port.ts';
import type { PairScorer } from '../../adapters/models/port.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import { failure } from '../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { answerHouse, failureOf } from './answer-house.ts';
import { choices, modelsAt, noModels, stored } from './model-steps.ts';

const fee = 'A late fee of 12 % is charged after 30 days.';
const noise = 'Guests shall be silent in the reading room after nine in the evening.';

let server: ProviderServer;
let passages: StoredPassage[];
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
  passages = [await stored('rules', [fee, noise])];
});
afterAll(() => server.close());
beforeEach(() => server.clear());

const quotes = [fee, noise];
/** A draft of these texts, each resting on one of the two quotes. */
function draftOf(...said: [text: string, citation: 1 | 2][]): GenerateOutput {
  const citation = (n: number, quote: string, start: number) => ({
    n,
    evidenceId: 'rules',
    documentId: 'd-rules',
    origin: 'corpus' as const,
    title: 'Manual',
    uri: 'file:rules',
    section: 'rules',
    page: null,
    readAt: null,
    quote,
    start,
    end: start + quote.length,
  });
  return {
    statements: said.map(([text, n]) => ({ text, citations: [n] })),
    citations: quotes.map((quote, i) => citation(i + 1, quote, i === 0 ? 0 : fee.length + 1)),
    dropped: 0,
    unanswered: [],
  };
}

const verbatim: [string, 1] = [fee, 1];
/** Other words for the same, of which the rules alone cannot know that they are. */
const paraphrase: [string, 2] = ['Visitors must keep quiet in the reading room in the evening.', 2];
const wrongFigure: [string, 1] = ['A late fee of 13 % is charged after 30 days.', 1];
const negated: [string, 1] = ['A late fee of 12 % is not charged after 30 days.', 1];

const verdicts = (...entries: unknown[]) => server.respondWith(() => ({ says: { verdicts: entries } }));
const yes = (statement: number) => ({ statement, supported: true, reason: 'it says so' });
const no = (statement: number, reason: string) => ({ statement, supported: false, reason });
const check = async (draft: GenerateOutput, checker: ModelChoice, models = modelsAt(server)) =>
  (await (await answerHouse(models, passages, 'What are the rules?')).check(draft, { checker })).grounding;

describe('the rules alone', () => {
  test('need no model and refuse what they do not recognise', async () => {
    const grounding = await check(draftOf(verbatim, paraphrase, wrongFigure), choices.local, noModels);
    expect(grounding).toMatchObject({ status: 'needs_revision', method: 'rules' });
    expect(grounding.statements.map(({ supported }) => supported)).toEqual([true, false, false]);
  });
});

describe.each(['openai', 'anthropic'] as const)('a check by %s', (provider) => {
  const checker = choices[provider];

  test('lets a paraphrase pass that the model supports', async () => {
    verdicts(yes(1));
    const grounding = await check(draftOf(paraphrase), checker);
    expect(grounding).toEqual({
      status: 'pass',
      method: 'model',
      statements: [{ supported: true, reason: `${provider}/large: supported by its quotes` }],
    });
  });

  test('asks once, about all statements that the rules leave open, with the quotes as data', async () => {
    verdicts(yes(1), no(2, 'the fee is not mentioned'));
    const again: [string, 2] = ['Guests keep quiet in the reading room at night.', 2];
    const grounding = await check(draftOf(verbatim, paraphrase, wrongFigure, again), checker);
    expect(grounding.statements).toEqual([
      { supported: true, reason: 'word for word' },
      expect.objectContaining({ supported: true }),
      expect.objectContaining({ supported: false, reason: expect.stringContaining('13 %') }),
      { supported: false, reason: `${provider}/large: the fee is not mentioned` },
    ]);
    expect(server.calls()).toBe(1);
    const { user } = server.journal[0]!.request;
    expect(user).toMatch(
      /\n1 \(c2\): Visitors must keep quiet in the reading room in the evening\.\n2 \(c2\): Guests keep quiet/,
    );
    expect(user).toMatch(/<document-[0-9a-f]{16} id="c2">\nManual › rules\nGuests shall be silent/);
    expect(user).not.toContain(fee);
  });

  test('tells its call and its price', async () => {
    verdicts(yes(1));
    const built = await answerHouse(modelsAt(server), passages, 'What are the rules?');
    const { calls } = await built.check(draftOf(paraphrase), { checker });
    expect(calls).toEqual([expect.objectContaining({ step: 'check-grounding', prompt: 'check-grounding@1.0.0' })]);
  });

  test('that fails is a failure, not a verdict', async () => {
    server.respondWith(() => failure(provider, 503));
    expect(await failureOf(check(draftOf(paraphrase), checker))).toMatchObject({ nonRetryable: false });
  });
});

describe('a model has no say', () => {
  test('in other figures, dates, codes, names, negations and links: those are refused without it', async () => {
    verdicts(yes(1), yes(2), yes(3));
    const grounding = await check(
      draftOf(wrongFigure, negated, [`${fee} See https://example.invalid/x.`, 1]),
      choices.openai,
    );
    expect(grounding).toMatchObject({ status: 'fail', method: 'rules' });
    expect(server.calls()).toBe(0);
  });

  test('in what stands in its source word for word', async () => {
    verdicts(no(1, 'no'));
    expect(await check(draftOf(verbatim), choices.openai)).toMatchObject({ status: 'pass', method: 'rules' });
    expect(server.calls()).toBe(0);
  });

  test('but it may refuse what no rule objects to', async () => {
    verdicts(no(1, 'the rule is for guests'));
    const all: [string, 2] = ['Guests shall be silent in the reading room.', 2];
    expect((await check(draftOf(all), choices.local, noModels)).status).toBe('pass');
    expect(await check(draftOf(all), choices.openai)).toMatchObject({ status: 'fail', method: 'model' });
  });
});

describe('a statement is not supported', () => {
  const refused = async (...entries: unknown[]) => {
    verdicts(...entries);
    const grounding = await check(draftOf(paraphrase, ['Visitors keep quiet in the reading room.', 2]), choices.openai);
    expect(grounding.statements[0]).toMatchObject({ supported: true });
    return grounding.statements[1];
  };

  test('without a verdict', async () => {
    expect(await refused(yes(1))).toEqual({ supported: false, reason: 'openai/large: no verdict was given' });
  });

  test.each([
    ['a word in place of true', { statement: 2, supported: 'yes', reason: '' }],
    ['no reason', { statement: 2, supported: true }],
  ])('with a verdict that is none: %s', async (_, entry) => {
    expect(await refused(yes(1), entry)).toMatchObject({ supported: false, reason: expect.stringContaining('schema') });
  });

  test('with two verdicts that differ', async () => {
    expect(await refused(yes(1), yes(2), no(2, 'late is not said'))).toMatchObject({ supported: false });
  });

  test('with verdicts for statements that were not asked about', async () => {
    expect(await refused(yes(1), yes(0), yes(3), yes(2.5))).toMatchObject({ supported: false });
  });
});

test.each([
  ['an image', 'not said ![x](https://images.example.invalid/q)'],
  ['an address', 'look at www.example.invalid'],
  ['nothing', '   '],
])('a reason with %s is not passed on', async (_, reason) => {
  verdicts(no(1, reason));
  const { statements } = await check(draftOf(paraphrase), choices.openai);
  expect(statements).toEqual([{ supported: false, reason: 'openai/large: not supported by its quotes' }]);
});

test('a reason is one short line', async () => {
  verdicts(no(1, `first\n\n${'second '.repeat(100)}`));
  const [judged] = (await check(draftOf(paraphrase), choices.openai)).statements;
  expect(judged?.reason).toMatch(/^openai\/large: first second second .*…$/);
  expect(judged?.reason.length).toBeLessThan(220);
});

describe('a local entailment model', () => {
  const checker = { ...choices.local, model: 'entailment' };
  const scorer = (...scores: number[]): PairScorer & { asked: { first: string; second: string }[] } => {
    const asked: { first: string; second: string }[] = [];
    return {
      id: 'local/entailment',
      asked,
      score: (pairs) => {
        asked.push(...pairs);
        return Promise.resolve(scores);
      },
    };
  };

  test('decides by its threshold on what the rules leave open', async () => {
    const model = scorer(0.5, 0.49);
    const draft = draftOf(verbatim, paraphrase, wrongFigure, ['Talking is fine in the reading room all day.', 2]);
    const grounding = await check(draft, checker, modelsAt(server, model));
    expect(grounding).toMatchObject({ status: 'needs_revision', method: 'entailment' });
    expect(grounding.statements.map(({ supported }) => supported)).toEqual([true, true, false, false]);
    expect(grounding.statements[3]?.reason).toBe('local/entailment: 0.49, less than 0.5');
    expect(model.asked).toEqual([
      { first: noise, second: paraphrase[0] },
      { first: noise, second: 'Talking is fine in the reading room all day.' },
    ]);
    expect(server.calls()).toBe(0);
  });

  test('that gives no score for a pair is broken; a score out of range supports nothing', async () => {
    expect(await failureOf(check(draftOf(paraphrase), checker, modelsAt(server, scorer())))).toMatchObject({
      type: 'Model.Bad',
    });
    for (const score of [NaN, -0.1, 1.7])
      expect(await check(draftOf(paraphrase), checker, modelsAt(server, scorer(score)))).toMatchObject({
        status: 'fail',
      });
  });

  test('that is not installed fails by name', async () => {
    expect(await failureOf(check(draftOf(paraphrase), checker, noModels))).toMatchObject({
      type: 'Model.NotConfigured',
    });
  });
});
