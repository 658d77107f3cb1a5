import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EmbeddingModel, ModelProviders } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Conflict, KeptStrip } from '../domain/contracts/evidence.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { findConflicts } from '../domain/rules/conflicts.ts';
import { bestFirst, scoreStrips, selectStrips, withinBudget } from '../domain/rules/strips.ts';
import { embedAspects } from './embed-aspects.ts';
import { judgeStrips } from './models/judge-strips.ts';
import { readEvidence } from './read-evidence.ts';
import { step } from './step.ts';

export interface RefineInput {
  access: Access;
  analysis: Analysis;
  /** Passages to cut, with the aspects that each was graded relevant for. */
  passages: { id: string; supports: string[] }[];
  /** Of passages that an earlier call of this run decided on: their strips, which need no second judgement. */
  decided: { ids: string[]; strips: KeptStrip[] };
  refine: Policy['refine'];
  refiner: ModelChoice;
  /** Whose tokens the context budget counts. */
  generator: ModelChoice;
}

export interface RefineOutput {
  strips: KeptStrip[];
  conflicts: Conflict[];
  /** Strips that were good enough but did not fit the context budget. */
  overBudget: number;
  tokens: number;
}

export interface RefineDependencies {
  index: Pick<IndexPort, 'passages'>;
  embedding: EmbeddingModel;
  models: ModelProviders;
  prompts: Prompts;
}

/** Cuts the kept passages down to the strips that speak to the question, within the token budget, and finds strips that contradict each other. */
export function createRefine(deps: RefineDependencies) {
  return step(async (input: RefineInput, context): Promise<RefineOutput> => {
    const { analysis, refine, refiner } = input;
    const [passages, vectors] = await Promise.all([
      readEvidence(deps.index, input.access, { ids: input.passages.map(({ id }) => id), vectors: true }),
      embedAspects(deps.embedding, analysis, context.signal),
    ]);
    const byId = new Map(passages.map((passage) => [passage.id, passage]));
    const supports = new Map(input.passages.map((passage) => [passage.id, passage.supports]));
    const open = passages.filter(({ id }) => !input.decided.ids.includes(id));
    const marked = open.map((passage) => ({ ...passage, supports: supports.get(passage.id) ?? [] }));
    const scored = scoreStrips(marked, { analysis, vectors }, refine);
    const added =
      refiner.provider === 'local'
        ? selectStrips(scored)
        : await judgeStrips({ scored, analysis, refiner }, deps, context);
    const chosen = bestFirst([...input.decided.strips, ...added]);
    const counter = tokenCounter(input.generator, deps);
    const fitted = withinBudget(chosen, (strip) => counter(textOf(byId, strip)), refine.contextTokens);
    return {
      strips: fitted.kept,
      conflicts: findConflicts(fitted.kept.flatMap((strip) => comparable(byId, strip))),
      overBudget: fitted.dropped,
      tokens: fitted.tokens,
    };
  });
}

/** As the generator's model counts tokens; without one, as the embedding model does. */
function tokenCounter(generator: ModelChoice, { models, embedding }: RefineDependencies): (text: string) => number {
  if (generator.provider === 'local') return (text) => embedding.countTokens(text);
  const model = models.chat(generator);
  return (text) => model.countTokens(text);
}

function textOf(passages: Map<string, StoredPassage>, strip: KeptStrip): string {
  const passage = passages.get(strip.evidenceId);
  return passage ? passage.text.slice(strip.start - passage.start, strip.end - passage.start) : '';
}

function comparable(passages: Map<string, StoredPassage>, strip: KeptStrip) {
  const passage = passages.get(strip.evidenceId);
  if (!passage) return [];
  return [
    {
      evidenceId: strip.evidenceId,
      documentId: strip.documentId,
      start: strip.start,
      text: textOf(passages, strip),
      authority: passage.metadata.authority,
      effectiveFrom: passage.metadata.effectiveFrom,
    },
  ];
}
