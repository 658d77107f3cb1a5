import { isCancellation } from '@temporalio/workflow';
import type { Citation, Grounding, Statement } from '../../domain/contracts/answer.ts';
import type { Conflict, KeptStrip } from '../../domain/contracts/evidence.ts';
import { renumber } from '../../domain/rules/extractive.ts';
import { wholePassages } from '../../domain/rules/whole-passages.ts';
import type { Draft } from './outcome.ts';
import type { RunState } from './state.ts';
import { isEvidenceGone, runStep } from './steps.ts';

/** The strips to answer from. When refining fails, the relevant passages go in whole, within the budget. */
export async function refine(state: RunState): Promise<{ strips: KeptStrip[]; conflicts: Conflict[] }> {
  const { analysis, input } = state;
  const passages = state.keptEvidence();
  if (analysis === null || passages.length === 0) return { strips: [], conflicts: [] };
  try {
    const { strips, conflicts } = await runStep(state, 'refine', {
      input: { access: input.access, analysis, passages, refine: input.policy.refine },
      summary: `cut ${passages.length} passages down to what speaks to the question`,
      done: (output) => `${output.strips.length} strips, ${output.tokens} tokens`,
    });
    state.refined(strips, conflicts);
    return { strips, conflicts };
  } catch (error) {
    if (isCancellation(error) || isEvidenceGone(error)) throw error;
    const strips = wholePassages(state.relevantEvidence(), input.policy.refine.contextTokens);
    state.refined(strips, []);
    return { strips, conflicts: [] };
  }
}

/**
 * A draft whose every statement passed the grounding check, or null. What fails is left out of a bounded number of revisions; what still fails then
 * is dropped, and with nothing left there is no answer. An ungrounded statement never leaves.
 */
export async function draft(
  state: RunState,
  evidence: { strips: KeptStrip[]; conflicts: Conflict[] },
): Promise<{ draft: Draft | null; grounding: Grounding | null }> {
  let refused: Span[] = [];
  let last: Checked | null = null;
  for (let revision = 0; revision <= state.input.policy.grounding.revisions; revision++) {
    const { statements, citations, calls } = await generate(state, evidence, refused);
    if (statements.length === 0) break;
    const grounding = await checkGrounding(state, statements, citations);
    last = { statements, citations, calls, grounding };
    if (grounding.status === 'pass') return { draft: { ...last, dropped: 0 }, grounding };
    refused = [...refused, ...unsupportedSpans(last)];
  }
  const kept = last === null ? null : supportedOnly(last);
  return { draft: kept, grounding: last?.grounding ?? null };
}

interface Span {
  documentId: string;
  start: number;
  end: number;
}

type Checked = Omit<Draft, 'grounding' | 'dropped'> & { grounding: Grounding };

function unsupportedSpans({ statements, citations, grounding }: Checked): Span[] {
  const failed = statements.filter((_, index) => grounding.statements[index]?.supported !== true);
  const numbers = new Set(failed.flatMap((statement) => statement.citations));
  return citations.filter(({ n }) => numbers.has(n)).map(({ documentId, start, end }) => ({ documentId, start, end }));
}

function supportedOnly({ statements, citations, grounding, calls }: Checked): Draft | null {
  const supported = (index: number) => grounding.statements[index]?.supported === true;
  const kept = renumber(
    statements.filter((_, index) => supported(index)),
    citations,
  );
  if (kept.statements.length === 0) return null;
  const checks = grounding.statements.filter(({ supported: ok }) => ok);
  return {
    ...kept,
    calls,
    dropped: statements.length - kept.statements.length,
    grounding: { ...grounding, status: 'pass', statements: checks },
  };
}

async function generate(state: RunState, evidence: { strips: KeptStrip[]; conflicts: Conflict[] }, refused: Span[]) {
  return runStep(state, 'generate', {
    input: {
      access: state.input.access,
      aspects: state.aspects,
      strips: evidence.strips,
      conflicts: evidence.conflicts,
      generate: state.input.policy.generate,
      refused,
    },
    summary:
      refused.length === 0
        ? `answer from ${evidence.strips.length} strips`
        : 'answer again without what was not grounded',
    done: (output) => `${output.statements.length} statements`,
  });
}

async function checkGrounding(state: RunState, statements: Statement[], citations: Citation[]): Promise<Grounding> {
  try {
    const { grounding } = await runStep(state, 'check-grounding', {
      input: { access: state.input.access, statements, citations },
      summary: `check ${statements.length} statements against their quotes`,
      done: (output) => output.grounding.status,
    });
    return grounding;
  } catch (error) {
    if (isCancellation(error) || isEvidenceGone(error)) throw error;
    return {
      status: 'fail',
      method: 'rules',
      statements: statements.map(() => ({ supported: false, reason: 'the grounding check could not run' })),
    };
  }
}
