import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { groupQuestions } from '../../domain/rules/question-groups.ts';
import { sampleQuestions } from '../support/sample-questions.ts';
import { openModel } from './local-model.ts';

/** Other wordings of the sample questions, by their ids. */
const paraphrases = JSON.parse(readFileSync(new URL('./fixtures/paraphrases.json', import.meta.url), 'utf8')) as Record<
  string,
  string[]
>;

let model: EmbeddingModel;
beforeAll(async () => {
  model = await openModel(1);
});
afterAll(() => model.close());

test('the local model groups other wordings of the sample questions, and no two of them', async () => {
  const originals = new Map(sampleQuestions.toReversed().map(({ id, question }) => [question, id]));
  const asked = [...originals].flatMap(([question, id]) =>
    [question, ...(paraphrases[id] ?? [])].map((text) => ({ text, id })),
  );
  const questions = await Promise.all(
    asked.map(async ({ text }) => ({ text, weight: 1, vector: await model.embedQuery(text) })),
  );
  const work = groupQuestions(questions);
  let step = work.next();
  while (!step.done) step = work.next();
  const groups = step.value.map((group) => group.map((n) => asked[n]?.id));

  for (const ids of groups) expect(new Set(ids).size).toBe(1);
  const pairs = (count: number) => (count * (count - 1)) / 2;
  const wanted = [...Map.groupBy(asked, ({ id }) => id).values()].reduce((sum, same) => sum + pairs(same.length), 0);
  const found = groups.reduce((sum, ids) => sum + pairs(ids.length), 0);
  expect(found / wanted).toBeGreaterThan(0.85);
});
