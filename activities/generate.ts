import { Context } from '@temporalio/activity';
import type { IndexPort } from '../adapters/index/port.ts';
import type { ModelProviders } from '../adapters/models/port.ts';
import type { EventsPort } from '../adapters/store/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Citation, Statement } from '../domain/contracts/answer.ts';
import type { Conflict, KeptStrip } from '../domain/contracts/evidence.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import type { QuotableStrip } from '../domain/rules/citation-list.ts';
import { composeExtract } from '../domain/rules/extractive.ts';
import { draftByModel, type DraftInput } from './models/draft-by-model.ts';
import { readStrips } from './quotable-strips.ts';
import { step } from './step.ts';
import { textOfRun } from './text-stream.ts';

export interface GenerateInput extends DraftInput {
  access: Access;
  strips: KeptStrip[];
  /** Strips that a grounding check refused: the extractive generator leaves them out of a revision. A model is told the reasons instead. */
  refused: { documentId: string; start: number; end: number }[];
}

export interface GenerateOutput {
  statements: Statement[];
  citations: Citation[];
  /** Statements of a model that were left out at once: without a source that was given, without words, or beyond the limit. */
  dropped: number;
  /** Ids of the aspects that the generator could not answer from the strips. */
  unanswered: string[];
}

export interface GenerateDependencies {
  index: Pick<IndexPort, 'passages'>;
  models: ModelProviders;
  prompts: Prompts;
  events: Pick<EventsPort, 'publish'>;
}

/**
 * Statements with citations, made of the kept strips: `local` states the strips themselves, a chat model writes, and its text goes to readers while
 * it is written as far as the policy lets it. A repeated attempt and a revision take back what the one before has shown.
 */
export function createGenerate(deps: GenerateDependencies) {
  return step(async (input: GenerateInput, context): Promise<GenerateOutput> => {
    const text = textOfRun(deps.events);
    if (input.generate.stream !== 'off' && (input.revision || Context.current().info.attempt > 1))
      text.reset(input.revision ? 'the answer is revised' : 'the answer is written again', { always: true });
    const evidence = await readStrips(deps.index, input.access, input.strips);
    if (input.generator.provider === 'local') return extract(input, evidence.strips);
    return draftByModel(input, evidence, { ...deps, ...context, text });
  });
}

/** Statements made of the strips word for word. No model is called. */
function extract({ refused, conflicts, aspects, generate }: GenerateInput, strips: QuotableStrip[]): GenerateOutput {
  const left = strips.filter(
    (strip) =>
      !refused.some((r) => r.documentId === strip.documentId && r.start === strip.start && r.end === strip.end),
  );
  const always = left.filter((strip) => conflicts.some((conflict) => inConflict(conflict, strip)));
  const composed = composeExtract(left, aspects, { maxStatements: generate.maxStatements, always });
  return { ...composed, dropped: 0, unanswered: [] };
}

function inConflict(conflict: Conflict, strip: KeptStrip): boolean {
  return conflict.spans.some((span) => span.evidenceId === strip.evidenceId && span.start === strip.start);
}
