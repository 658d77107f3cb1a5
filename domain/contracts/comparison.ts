import type { Citation, Degradation, GradedEvidence, Outcome, Tier, Usage } from './answer.ts';
import type { EvidenceQuality, Verdict } from './evidence.ts';

/** A run as it is compared. `outcome` is null for one that goes on, failed or was cancelled; `usage` is null where it is not known. */
export interface ComparedRun {
  question: string;
  status: string;
  reason: { code: string; message: string } | null;
  usage: Usage | null;
  outcome: Outcome | null;
}

/** Null on a side that has none, such as everything but question, status, reason and usage of a run without an outcome. */
export interface Sides<T> {
  first: T | null;
  second: T | null;
}

/** `difference`: the second less the first; null when one is not known. */
export type Figures = Sides<number> & { difference: number | null };

/** What both have, in the order of the first, and what only one of them has. */
export interface Overlap<T, B = T> {
  both: B[];
  onlyFirst: T[];
  onlySecond: T[];
}

export type GradeOfRun = Pick<GradedEvidence, 'score' | 'label' | 'used'>;
export type ComparedPassage = Pick<GradedEvidence, 'id' | 'origin' | 'documentId' | 'title' | 'section'>;
export type ComparedCitation = Pick<Citation, 'documentId' | 'title' | 'section' | 'page' | 'start' | 'end' | 'quote'>;

/** Two runs side by side. What takes two outcomes to tell (`models`, `evidence`, `statements`, `citations`) is null without them. */
export interface Comparison {
  question: Sides<string>;
  status: Sides<string>;
  verdict: Sides<Verdict>;
  quality: Sides<Pick<EvidenceQuality, 'status' | 'missingAspects'>>;
  reason: Sides<{ code: string; message: string }>;
  policy: Sides<string>;
  /** By role, only those that differ. */
  models: Record<string, Sides<string>> | null;
  /** By id. */
  evidence: Overlap<ComparedPassage & GradeOfRun, ComparedPassage & { first: GradeOfRun; second: GradeOfRun }> | null;
  /** `same` is false where one of the two has no outcome. */
  answer: Sides<string> & { same: boolean };
  limitation: Sides<string>;
  /** By their words. */
  statements: Overlap<string> | null;
  /** By document, span and words: a document that was replaced in between may say something else there. */
  citations: Overlap<ComparedCitation> | null;
  /** The tiers that were tried, in order. */
  corrections: Sides<Tier[]>;
  degraded: Sides<Degradation[]>;
  /** `estimated`: the figure is not the bill, since a token count or a price is not known. */
  costUsd: Figures & { estimated: Sides<boolean> };
  tokens: { input: Figures; output: Figures };
  totalMs: Sides<number>;
}
