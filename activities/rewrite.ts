import type { ModelProviders } from '../adapters/models/port.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { aspectLines } from '../domain/prompting/aspects.ts';
import { fence } from '../domain/prompting/fence.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { queriesOf, queryAnswerSchema } from '../domain/prompting/query-answer.ts';
import { protectedTerms, rewriteQuery, type RewriteInput } from '../domain/rules/rewrite.ts';
import { newNonce } from './models/nonce.ts';
import { structuredCall } from './models/structured-call.ts';
import { step } from './step.ts';

export type RewriteStepInput = RewriteInput & { limits: Policy['rewrite']; writer: ModelChoice };

/** Searches aimed at what is missing; none when there is nothing new to search for. */
export function createRewrite(deps: { models: ModelProviders; prompts: Prompts }) {
  return step(async (input: RewriteStepInput, { signal, calls }): Promise<{ queries: string[] }> => {
    const { writer, limits, analysis } = input;
    if (writer.provider === 'local') {
      const query = rewriteQuery(input, limits);
      return { queries: query === null ? [] : [query] };
    }
    const nonce = newNonce();
    const notes = (lines: string[]) => fence('notes', lines.join('\n'), nonce);
    const missing = input.missing.length > 0 ? input.missing : analysis.aspects;
    const { query } = await structuredCall({
      model: deps.models.chat(writer),
      choice: writer,
      prompt: deps.prompts.rewrite,
      values: {
        minWords: String(limits.minWords),
        maxWords: String(limits.maxWords),
        question: fence('question', analysis.searchText, nonce),
        missing: fence('aspects', aspectLines(missing), nonce),
        terms: notes(protectedTerms(input.question, analysis)),
        titles: notes(input.neighbours),
        tried: notes(input.tried),
      },
      nonce,
      schema: queryAnswerSchema,
      schemaName: 'rewrite',
      step: 'rewrite',
      calls,
      signal,
    });
    return { queries: queriesOf(query, input, limits) };
  });
}
