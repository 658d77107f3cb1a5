import type { Citation, Grounding, Outcome, Reason, Statement, UsageCall } from '../../domain/contracts/answer.ts';
import type { EvidenceQuality } from '../../domain/contracts/evidence.ts';
import { answerText } from '../../domain/rules/extractive.ts';
import type { RunState } from './state.ts';

export interface Draft {
  statements: Statement[];
  citations: Citation[];
  grounding: Grounding | null;
  calls: UsageCall[];
  /** Statements left out since their sources do not fully support them. */
  dropped: number;
}

const nothing: Draft = { statements: [], citations: [], grounding: null, calls: [], dropped: 0 };

/** The end of a run that says why it does not answer, with what was tried. */
export function withheld(
  state: RunState,
  status: 'abstained' | 'needs_clarification',
  end: { reason: Reason; draft?: Pick<Draft, 'grounding' | 'calls'> },
): Outcome {
  return outcome(state, { status, reason: end.reason, limitation: null, draft: { ...nothing, ...end.draft } });
}

/** Answered in full, or in part with the limitation said: aspects without evidence, or sources that disagree. */
export function answered(state: RunState, draft: Draft): Outcome {
  const quality = qualityOf(state);
  const limitation = limitationOf(state, draft.dropped);
  const reason = limitation === null ? null : quality.conflicts.length > 0 ? disagreeing : incomplete;
  return outcome(state, { status: limitation === null ? 'answered' : 'partially_answered', reason, limitation, draft });
}

const disagreeing: Reason = { code: 'conflicting_sources', message: 'Sources that may both be read disagree.' };
const incomplete: Reason = { code: 'missing_aspects', message: 'The documents answer only part of the question.' };

function limitationOf(state: RunState, dropped: number): string | null {
  const { missingAspects, conflicts } = qualityOf(state);
  const parts = [
    ...missingAspects.map((aspect) => `The documents that you may read do not say: ${aspect}`),
    ...conflicts.map(
      ({ documentIds, values, preferred }) =>
        `${documentIds[0]} says ${values[0]}, ${documentIds[1]} says ${values[1]}` +
        (preferred === null ? '; nothing tells which one holds.' : `; ${preferred} has the higher standing.`),
    ),
    ...(dropped > 0 ? [`${dropped} statement(s) were left out: their sources do not fully support them.`] : []),
  ];
  return parts.length > 0 ? parts.join('\n') : null;
}

function qualityOf(state: RunState): EvidenceQuality {
  return (
    state.quality ?? {
      status: 'insufficient',
      aspects: state.aspects.map(({ text }) => text),
      missingAspects: state.aspects.map(({ text }) => text),
      conflicts: [],
    }
  );
}

function outcome(
  state: RunState,
  end: { status: Outcome['status']; reason: Reason | null; limitation: string | null; draft: Draft },
): Outcome {
  const { policy, question } = state.input;
  const { statements, citations, grounding, calls } = end.draft;
  for (const { evidenceId } of citations) state.used.add(evidenceId);
  return {
    question,
    status: end.status,
    answer: statements.length > 0 ? answerText(statements) : null,
    statements,
    citations,
    verdict: state.verdict,
    quality: qualityOf(state),
    reason: end.reason,
    limitation: end.limitation,
    evidence: state.gradedEvidence(),
    ledger: state.ledger,
    grounding,
    usage: {
      inputTokens: calls.reduce((sum, call) => sum + call.inputTokens, 0),
      outputTokens: calls.reduce((sum, call) => sum + call.outputTokens, 0),
      costUsd: calls.reduce((sum, call) => sum + call.costUsd, 0),
      calls,
    },
    timings: { totalMs: Date.now() - state.startedAt, steps: state.progress().timings },
    versions: { policy: `${policy.name}@${policy.version}`, prompts: 'none', models: { ...policy.models } },
    review: null,
  };
}
