import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { groupQuestions } from '../../domain/rules/question-groups.ts';
import { paraphrasePairs, wordings } from '../support/paraphrases.ts';
import { substitutions } from '../support/substitutions.ts';
import { openModel } from './local-model.ts';

let model: EmbeddingModel;
beforeAll(async () => {
  model = await openModel(1);
});
afterAll(() => model.close());

async function grouped(texts: readonly string[]): Promise<string[][]> {
  const questions = await Promise.all(
    texts.map(async (text) => ({ text, weight: 1, vector: await model.embedQuery(text) })),
  );
  const work = groupQuestions(questions);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value.map((group) => group.map((n) => texts[n] ?? ''));
}

test('the local model groups other wordings of the sample questions, and no two of them', async () => {
  const ids = new Map(wordings.map(({ text, id }) => [text, id]));
  const groups = await grouped([...ids.keys()]);
  for (const texts of groups) expect(new Set(texts.map((text) => ids.get(text))).size).toBe(1);
  const found = groups.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
  expect(found / paraphrasePairs.length).toBeGreaterThan(0.85);
});

test('questions of one frame with other words in it stay apart, also beside all the others', async () => {
  for (const pair of substitutions) expect(await grouped(pair)).toHaveLength(2);
  const groups = await grouped([...new Set([...substitutions.flat(), 'Who or what guards the gate?'])]);
  for (const [one, other] of substitutions)
    expect(groups.some((texts) => texts.includes(one) && texts.includes(other))).toBe(false);
});

test('other spellings of a question come together', async () => {
  expect(await grouped(['What colour are the geese?', 'What color are the geese?'])).toHaveLength(1);
  expect(await grouped(['Which geese guard the gate?', 'Which goose guards the gate?'])).toHaveLength(1);
});
