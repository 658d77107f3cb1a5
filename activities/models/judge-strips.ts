import type { ModelProviders } from '../../adapters/models/port.ts';
import type { KeptStrip } from '../../domain/contracts/evidence.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import type { Analysis } from '../../domain/contracts/question.ts';
import { aspectLines } from '../../domain/prompting/aspects.ts';
import { fence, fenceDocuments } from '../../domain/prompting/fence.ts';
import type { Prompts } from '../../domain/prompting/prompts.ts';
import { readKeptStrips, stripAnswerAccepted, stripAnswerSchema } from '../../domain/prompting/strip-answer.ts';
import { listStrips } from '../../domain/prompting/strip-list.ts';
import type { ScoredStrip } from '../../domain/rules/strips.ts';
import type { StepContext } from '../step.ts';
import { newNonce } from './nonce.ts';
import { structuredCall } from './structured-call.ts';

/** All strips in one call of a chat model; those it keeps, strongest by their local scores first. */
export async function judgeStrips(
  { scored, analysis, refiner }: { scored: ScoredStrip[]; analysis: Analysis; refiner: ModelChoice },
  deps: { models: ModelProviders; prompts: Prompts },
  { signal, calls }: StepContext,
): Promise<KeptStrip[]> {
  if (scored.length === 0) return [];
  const nonce = newNonce();
  const { documents, numbered } = listStrips(scored);
  const { strips } = await structuredCall<{ strips: unknown[] }>({
    model: deps.models.chat(refiner),
    choice: refiner,
    prompt: deps.prompts.refine,
    values: {
      question: fence('question', analysis.searchText, nonce),
      aspects: fence('aspects', aspectLines(analysis.aspects), nonce),
      documents: fenceDocuments(documents, nonce),
    },
    nonce,
    schema: stripAnswerSchema,
    accept: stripAnswerAccepted,
    schemaName: 'refine',
    step: 'refine',
    calls,
    signal,
  });
  return readKeptStrips(strips, numbered, analysis.aspects);
}
