import type { Access } from './access.ts';
import type { GradedEvidence, LedgerEntry, Usage } from './answer.ts';
import type { EvidenceQuality, Verdict } from './evidence.ts';
import type { StepEvent } from './events.ts';
import type { StepName } from './step-name.ts';
import type { Policy } from './policy.ts';

/** Input of one question's run. Everything that decides how it goes is here, so that a replay decides the same. */
export interface AnswerQuestionInput {
  question: string;
  access: Access;
  policy: Policy;
}

/** What a run tells of itself while it goes, and afterwards. */
export interface RunProgress {
  step: StepName | null;
  verdict: Verdict | null;
  quality: EvidenceQuality | null;
  evidence: GradedEvidence[];
  ledger: LedgerEntry[];
  timings: { step: StepName; ms: number }[];
  /** Model calls so far. */
  usage: Usage;
  events: StepEvent[];
}

/** The workflow id of a question. The tenant is part of it, so that nobody can address another tenant's run. */
export function questionWorkflowId(tenant: string, id: string): string {
  return `question.${tenant}.${id}`;
}
