import type { ModelProviders } from '../adapters/models/port.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Analysis, Aspect } from '../domain/contracts/question.ts';
import { aspectLines } from '../domain/prompting/aspects.ts';
import { fence } from '../domain/prompting/fence.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { subQuestionAnswerSchema, usableSubQuestions } from '../domain/prompting/sub-question-answer.ts';
import { decomposeQuestion, type SubQuestion } from '../domain/rules/decompose.ts';
import { protectedTerms } from '../domain/rules/rewrite.ts';
import { newNonce } from './models/nonce.ts';
import { structuredCall } from './models/structured-call.ts';
import { step } from './step.ts';

export interface DecomposeInput {
  question: string;
  analysis: Analysis;
  missing: Aspect[];
  tried: string[];
  maxTurns: number;
  writer: ModelChoice;
}

/** Simpler searches for the aspects still missing. Where a model has none that can be used, those of the rules. */
export function createDecompose(deps: { models: ModelProviders; prompts: Prompts }) {
  return step(async (input: DecomposeInput, { signal, calls }): Promise<{ subQuestions: SubQuestion[] }> => {
    const { writer, maxTurns, missing, analysis } = input;
    const byRules = decomposeQuestion(input, maxTurns);
    if (writer.provider === 'local' || missing.length === 0) return { subQuestions: byRules };
    const nonce = newNonce();
    const notes = (lines: string[]) => fence('notes', lines.join('\n'), nonce);
    const answer = await structuredCall({
      model: deps.models.chat(writer),
      choice: writer,
      prompt: deps.prompts.decompose,
      values: {
        most: String(maxTurns),
        question: fence('question', analysis.searchText, nonce),
        missing: fence('aspects', aspectLines(missing), nonce),
        terms: notes(protectedTerms(input.question, analysis)),
        tried: notes(input.tried),
      },
      nonce,
      schema: subQuestionAnswerSchema,
      schemaName: 'decompose',
      step: 'decompose',
      calls,
      signal,
    });
    const written = usableSubQuestions(answer, input, maxTurns);
    return { subQuestions: written.length > 0 ? written : byRules };
  });
}
