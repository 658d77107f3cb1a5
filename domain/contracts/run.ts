import type { Access } from './access.ts';
import type { Citation, GradedEvidence, LedgerEntry, Outcome, Statement, Usage } from './answer.ts';
import type { EvidenceQuality, EvidenceRef, KeptStrip, Verdict } from './evidence.ts';
import type { StepEvent } from './events.ts';
import type { ReviewRecord, ReviewSummary } from './review.ts';
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
  /** Null when no person was asked so far. */
  review: ReviewSummary | null;
  events: StepEvent[];
}

/** What the query `review` tells: all that a reviewer needs to decide. Texts stay where they are: passages are named by id, quotes by their spans. */
export interface ReviewFile extends ReviewRecord {
  /** The outcome that was to be. */
  status: Outcome['status'];
  message: string | null;
  limitation: string | null;
  missingAspects: string[];
  conflicts: EvidenceQuality['conflicts'];
  /** What was tried. */
  ledger: LedgerEntry[];
  draft: { answer: string; statements: Statement[]; citations: Citation[] } | null;
  evidence: ReviewedEvidence[];
}

/** `quotes`: the spans of the document's text that the refinement kept. */
export type ReviewedEvidence = GradedEvidence &
  Pick<EvidenceRef, 'snippet'> & { quotes: Pick<KeptStrip, 'start' | 'end'>[] };
