import type { Analysis } from '../domain/contracts/question.ts';
import { analyseQuestion } from '../domain/rules/analyse.ts';
import { step } from './step.ts';

export const analyse = step(async ({ question }: { question: string }): Promise<{ analysis: Analysis }> => ({
  analysis: analyseQuestion(question),
}));
