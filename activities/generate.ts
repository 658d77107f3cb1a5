import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Citation, Statement, UsageCall } from '../domain/contracts/answer.ts';
import type { Conflict, KeptStrip } from '../domain/contracts/evidence.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Aspect } from '../domain/contracts/question.ts';
import { composeExtract, type QuotableStrip } from '../domain/rules/extractive.ts';
import { readEvidence } from './read-evidence.ts';
import { heartbeating, step } from './step.ts';

export interface GenerateInput {
  access: Access;
  aspects: Aspect[];
  strips: KeptStrip[];
  conflicts: Conflict[];
  generate: Policy['generate'];
  /** Strips that a grounding check refused: left out of a revision. */
  refused: { documentId: string; start: number; end: number }[];
}

export interface GenerateOutput {
  statements: Statement[];
  citations: Citation[];
  calls: UsageCall[];
}

/** Statements made of the kept strips, word for word, each with its citation. No model is called. */
export function createGenerate(deps: { index: IndexPort }) {
  return step(async (input: GenerateInput): Promise<GenerateOutput> =>
    heartbeating(async () => {
      const ids = input.strips.map((strip) => strip.evidenceId);
      const passages = await readEvidence(deps.index, input.access, { ids });
      const byId = new Map(passages.map((passage) => [passage.id, passage]));
      const quotable = input.strips
        .filter(
          (strip) =>
            !input.refused.some(
              (r) => r.documentId === strip.documentId && r.start === strip.start && r.end === strip.end,
            ),
        )
        .flatMap((strip) => quote(byId.get(strip.evidenceId), strip));
      const always = quotable.filter((strip) => input.conflicts.some((conflict) => inConflict(conflict, strip)));
      const composed = composeExtract(quotable, input.aspects, { maxStatements: input.generate.maxStatements, always });
      return { ...composed, calls: [] };
    }),
  );
}

function inConflict(conflict: Conflict, strip: KeptStrip): boolean {
  return conflict.spans.some((span) => span.evidenceId === strip.evidenceId && span.start === strip.start);
}

function quote(passage: StoredPassage | undefined, strip: KeptStrip): QuotableStrip[] {
  if (!passage) return [];
  const stored = passage.strips.find((candidate) => candidate.end === strip.end);
  return [
    {
      ...strip,
      kind: stored?.kind ?? 'sentence',
      header: stored?.header ?? null,
      text: passage.text.slice(strip.start - passage.start, strip.end - passage.start),
      source: {
        origin: 'corpus',
        title: passage.title,
        uri: passage.uri,
        section: passage.section,
        page: passage.page,
      },
    },
  ];
}
