import { z } from 'zod';
import type { Analysis, Aspect } from '../contracts/question.ts';
import { withProtected, type SubQuestion } from '../rules/decompose.ts';
import { alreadyTried, protectedTerms } from '../rules/rewrite.ts';
import { contentStems } from '../text/words.ts';
import { aspectIdSchema } from './aspects.ts';

/** In UTF-16 code units; a longer one is no simpler question. */
const longest = 300;

export const subQuestionAnswerSchema = z.object({
  subQuestions: z.array(z.object({ aspect: aspectIdSchema, question: z.string() })),
});

/**
 * The sub-questions to search for: of missing aspects only, each with the question's protected terms (put in front where the model left them out),
 * none tried already, at most `maxTurns`.
 */
export function usableSubQuestions(
  answer: z.infer<typeof subQuestionAnswerSchema>,
  input: { question: string; analysis: Analysis; missing: Aspect[]; tried: string[] },
  maxTurns: number,
): SubQuestion[] {
  const kept = protectedTerms(input.question, input.analysis);
  const found: SubQuestion[] = [];
  for (const { aspect, question } of answer.subQuestions) {
    const text = question.replace(/\s+/g, ' ').trim();
    const query = withProtected(text, kept);
    const tried = [...input.tried, ...found.map((sub) => sub.query)];
    const asked = input.missing.some(({ id }) => id === aspect);
    if (!asked || text.length > longest || contentStems(text).length === 0 || alreadyTried(query, tried)) continue;
    found.push({ aspectId: aspect, query });
  }
  return found.slice(0, maxTurns);
}
