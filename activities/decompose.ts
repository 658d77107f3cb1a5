import type { Analysis, Aspect } from '../domain/contracts/question.ts';
import { decomposeQuestion, type SubQuestion } from '../domain/rules/decompose.ts';
import { step } from './step.ts';

export interface DecomposeInput {
  question: string;
  analysis: Analysis;
  missing: Aspect[];
  tried: string[];
  maxTurns: number;
}

export const decompose = step(async (input: DecomposeInput): Promise<{ subQuestions: SubQuestion[] }> => ({
  subQuestions: decomposeQuestion(input, input.maxTurns),
}));
