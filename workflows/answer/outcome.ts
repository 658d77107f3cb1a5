import type { Citation, Grounding, Outcome, Reason, Statement, UsageCall } from '../../domain/contracts/answer.ts';
import type { EvidenceQuality } from '../../domain/contracts/evidence.ts';
import { modelId } from '../../domain/rules/model-id.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { conflictLines } from '../../domain/rules/conflict-lines.ts';
import { answerText } from '../../domain/rules/extractive.ts';
import { withOutages } from '../../domain/rules/outages.ts';
import type { RunState } from './state.ts';

export interface Draft {
  statements: Statement[];
  citations: Citation[];
  grounding: Grounding | null;
  /** Statements left out since their sources do not fully support them, or since there were too many. */
  dropped: number;
}

/** Where a run has come to. `final`: no person is asked any more. */
export interface Reached {
  outcome: Outcome;
  final: boolean;
}

const nothing: Draft = { statements: [], citations: [], grounding: null, dropped: 0 };

/** The end of a run that says why it does not answer, with what was tried. */
export function withheld(
  state: RunState,
  status: 'abstained' | 'needs_clarification',
  { reason, grounding = null }: { reason: Reason; grounding?: Grounding | null },
): Outcome {
  return outcome(state, {
    status,
    reason: withOutages(unpaid(state) ?? reason, state.degraded),
    limitation: null,
    draft: { ...nothing, grounding },
  });
}

/** Answered in full, or in part with the limitation said: aspects without evidence, or sources that disagree. */
export function answered(state: RunState, draft: Draft): Outcome {
  const quality = qualityOf(state);
  const limitation = limitationOf(state, draft.dropped);
  const reason = limitation === null ? null : withOutages(unpaid(state) ?? partly(quality), state.degraded);
  return outcome(state, { status: limitation === null ? 'answered' : 'partially_answered', reason, limitation, draft });
}

/** A reviewer's own answer, which stands in its source or is vouched for. */
export function adopted(
  state: RunState,
  { statements, citations, grounding }: Pick<Draft, 'statements' | 'citations'> & { grounding: Grounding },
): Outcome {
  const draft = { statements, citations, grounding, dropped: 0 };
  return outcome(state, { status: 'answered', reason: null, limitation: null, draft });
}

/** A reviewer lets nothing be said. */
export function denied(state: RunState, message: string): Outcome {
  const reason: Reason = { code: 'rejected', message };
  return outcome(state, { status: 'denied', reason, limitation: null, draft: nothing });
}

/** Nobody decided in time: nothing of a draft is released. */
export function expired(state: RunState, { reason, grounding }: Outcome, deadline: string): Outcome {
  const message = `No reviewer decided until ${deadline}. ${reason?.message ?? ''}`.trim();
  return outcome(state, {
    status: 'abstained',
    reason: { code: 'review_expired', message },
    limitation: null,
    draft: { ...nothing, grounding },
  });
}

const disagreeing: Reason = { code: 'conflicting_sources', message: 'Sources that may both be read disagree.' };
const incomplete: Reason = { code: 'missing_aspects', message: 'The documents answer only part of the question.' };

const leftOut: Reason = {
  code: 'not_grounded',
  message: 'Part of the draft was left out: its sources do not fully support it.',
};

function partly({ conflicts, missingAspects }: EvidenceQuality): Reason {
  if (conflicts.length > 0) return disagreeing;
  return missingAspects.length > 0 ? incomplete : leftOut;
}

/** What the run left out to stay under its cost ceiling; null when it left out nothing. */
function unpaid(state: RunState): Reason | null {
  if (state.unpaidRoles.size === 0) return null;
  const roles = [...state.unpaidRoles].join(', ');
  return {
    code: 'cost_ceiling',
    message: `The cost ceiling of ${state.maxCostUsd} USD was reached: no model was paid any more for ${roles}.`,
  };
}

function limitationOf(state: RunState, dropped: number): string | null {
  const { missingAspects, conflicts } = qualityOf(state);
  const parts = [
    ...missingAspects.map((aspect) => `The documents that you may read do not say: ${aspect}`),
    ...conflictLines(conflicts, (documentId) => nameOf(state, documentId)),
    ...[unpaid(state)].flatMap((reason) => reason?.message ?? []),
    ...(dropped > 0
      ? [
          `${dropped} statement(s) were left out: their sources do not fully support them, or they were more than the policy takes.`,
        ]
      : []),
  ];
  return parts.length > 0 ? parts.join('\n') : null;
}

/** A page of the web is known by its address. */
function nameOf(state: RunState, documentId: string): string {
  const page = state.gradedEvidence().find((one) => one.origin === 'web' && one.documentId === documentId);
  return page?.uri ?? documentId;
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
  const { statements, grounding } = end.draft;
  const citations = end.draft.citations.map((citation) => ({ ...citation, ...state.sourceOf(citation.evidenceId) }));
  const { usage } = state;
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
    degraded: state.degraded,
    grounding,
    usage,
    timings: { totalMs: Date.now() - state.startedAt, steps: state.progress().timings },
    versions: {
      policy: `${policy.name}@${policy.version}`,
      prompts: promptsOf(usage.calls),
      models: modelsOf(policy),
    },
    review: null,
  };
}

/** Name and version of every prompt that was used, or `none`. */
function promptsOf(calls: UsageCall[]): string {
  return [...new Set(calls.map(({ prompt }) => prompt))].sort().join(', ') || 'none';
}

function modelsOf({ models }: Policy): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, choice]) => [role, modelId(choice)]));
}
