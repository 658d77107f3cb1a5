import { readFileSync } from 'node:fs';
import type { Outcome } from '../../domain/contracts/answer.ts';

export interface SampleQuestion {
  id: string;
  question: string;
  groups: string[];
  expect: Outcome['status'];
  cite: string[];
  facts: string[];
  not?: string[];
}

export const sampleQuestions = readFileSync(new URL('../../examples/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SampleQuestion);
