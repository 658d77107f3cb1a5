import { readFileSync } from 'node:fs';
import { sampleQuestions } from './sample-questions.ts';

/** Other wordings of the sample questions, by their ids. */
const paraphrases = JSON.parse(
  readFileSync(new URL('../models/fixtures/paraphrases.json', import.meta.url), 'utf8'),
) as Record<string, string[]>;

/** The sample questions and their other wordings, each text once, with the id of what is asked. */
export const wordings: { text: string; id: string }[] = [
  ...new Map(sampleQuestions.toReversed().map(({ id, question }) => [question, id])),
].flatMap(([question, id]) => [question, ...(paraphrases[id] ?? [])].map((text) => ({ text, id })));

/** Every two wordings of the same. */
export const paraphrasePairs: [string, string][] = wordings.flatMap((one, n) =>
  wordings.slice(n + 1).flatMap((other): [string, string][] => (one.id === other.id ? [[one.text, other.text]] : [])),
);
