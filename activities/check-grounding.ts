import type { IndexPort } from '../adapters/index/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Citation, Grounding, Statement } from '../domain/contracts/answer.ts';
import { checkGrounding } from '../domain/grounding/check-grounding.ts';
import { readEvidence } from './read-evidence.ts';
import { step } from './step.ts';

export interface CheckGroundingInput {
  access: Access;
  statements: Statement[];
  citations: Citation[];
}

/** Reads the cited passages back from the index and checks every statement against its quotes by rules. */
export function createCheckGrounding(deps: { index: IndexPort }) {
  return step(async (input: CheckGroundingInput): Promise<{ grounding: Grounding }> => {
    const passages = await readEvidence(deps.index, input.access, {
      ids: input.citations.map(({ evidenceId }) => evidenceId),
    });
    const sources = new Map(
      passages.map((passage) => [
        passage.id,
        { text: passage.text, start: passage.start, context: `${passage.context}\n${headersOf(passage.strips)}` },
      ]),
    );
    return { grounding: checkGrounding(input.statements, input.citations, sources) };
  });
}

function headersOf(strips: { header: { text: string } | null }[]): string {
  return [...new Set(strips.flatMap((strip) => strip.header?.text ?? []))].join('\n');
}
