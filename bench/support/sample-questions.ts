import { join } from 'node:path';
import { readJsonLines } from './eval-data.ts';

/** The questions that come with the sample corpus. */
export async function sampleQuestions(): Promise<string[]> {
  const file = join(import.meta.dirname, '..', '..', 'examples', 'questions.jsonl');
  const lines = await readJsonLines<{ question: string }>(file);
  return lines.map(({ question }) => question);
}
