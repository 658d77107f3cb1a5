import type { ModelProviders } from '../adapters/models/port.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import { analysisAnswerSchema, mergedAnalysis } from '../domain/prompting/analysis-answer.ts';
import { fence } from '../domain/prompting/fence.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { analyseQuestion } from '../domain/rules/analyse.ts';
import { newNonce } from './models/nonce.ts';
import { structuredCall } from './models/structured-call.ts';
import { step } from './step.ts';

export interface AnalyseInput {
  question: string;
  /** Who analyses: `local` by rules. */
  analyst: ModelChoice;
}

/** What a question asks for: by rules, refined by a model where one is given and there is something to look up. */
export function createAnalyse(deps: { models: ModelProviders; prompts: Prompts }) {
  return step(async ({ question, analyst }: AnalyseInput, { signal, calls }): Promise<{ analysis: Analysis }> => {
    const byRules = analyseQuestion(question);
    if (analyst.provider === 'local' || byRules.kind !== 'question') return { analysis: byRules };
    const nonce = newNonce();
    const answer = await structuredCall({
      model: deps.models.chat(analyst),
      choice: analyst,
      prompt: deps.prompts.analyse,
      values: { question: fence('question', byRules.searchText, nonce) },
      nonce,
      schema: analysisAnswerSchema,
      schemaName: 'analyse',
      step: 'analyse',
      calls,
      signal,
    });
    return { analysis: mergedAnalysis(byRules, answer) };
  });
}
