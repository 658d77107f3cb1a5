import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Conflict, KeptStrip } from '../domain/contracts/evidence.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import { findConflicts } from '../domain/rules/conflicts.ts';
import { selectStrips, withinBudget } from '../domain/rules/strips.ts';
import { embedAspects } from './embed-aspects.ts';
import { readEvidence } from './read-evidence.ts';
import { step } from './step.ts';

export interface RefineInput {
  access: Access;
  analysis: Analysis;
  /** Passages to cut, with the aspects that each was graded relevant for. */
  passages: { id: string; supports: string[] }[];
  refine: Policy['refine'];
}

export interface RefineOutput {
  strips: KeptStrip[];
  conflicts: Conflict[];
  /** Strips that were good enough but did not fit the context budget. */
  overBudget: number;
  tokens: number;
}

/** Cuts the kept passages down to the strips that speak to the question, within the token budget, and finds strips that contradict each other. */
export function createRefine(deps: { index: IndexPort; embedding: EmbeddingModel }) {
  return step(async (input: RefineInput, signal): Promise<RefineOutput> => {
    const [passages, vectors] = await Promise.all([
      readEvidence(deps.index, input.access, { ids: input.passages.map(({ id }) => id), vectors: true }),
      embedAspects(deps.embedding, input.analysis, signal),
    ]);
    const byId = new Map(passages.map((passage) => [passage.id, passage]));
    const supports = new Map(input.passages.map((passage) => [passage.id, passage.supports]));
    const marked = passages.map((passage) => ({ ...passage, supports: supports.get(passage.id) ?? [] }));
    const chosen = selectStrips(marked, { analysis: input.analysis, vectors }, input.refine);
    const fitted = withinBudget(
      chosen,
      (strip) => deps.embedding.countTokens(textOf(byId, strip)),
      input.refine.contextTokens,
    );
    return {
      strips: fitted.kept,
      conflicts: findConflicts(fitted.kept.flatMap((strip) => comparable(byId, strip))),
      overBudget: fitted.dropped,
      tokens: fitted.tokens,
    };
  });
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
