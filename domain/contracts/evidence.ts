import { z } from 'zod';
import type { PageSpan } from '../text/page-mentions.ts';

export const originSchema = z.enum(['corpus', 'web', 'reviewer']);

/** A reference to a passage: what crosses activity boundaries and stays in histories. The text itself stays in the index. */
export const evidenceRefSchema = z.object({
  id: z.string(),
  origin: originSchema,
  documentId: z.string(),
  title: z.string(),
  uri: z.string(),
  section: z.string(),
  page: z.number().int().positive().nullable(),
  /** Span of the passage in the document's normalised text, in UTF-16 code units. */
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  /** Fused retrieval score; comparable only within one search. */
  score: z.number(),
  /** ISO time at which a page of the web was read or a reviewer's text taken in; null for the corpus. */
  readAt: z.string().nullable(),
  snippet: z.string().max(200),
});
export type EvidenceRef = z.infer<typeof evidenceRefSchema>;

export const gradeLabelSchema = z.enum(['relevant', 'partial', 'irrelevant', 'uncertain']);
export type GradeLabel = z.infer<typeof gradeLabelSchema>;

/** Relevance of one passage. `score` 0–1, null when the grader could not tell (`uncertain`). */
export const gradeSchema = z.object({
  evidenceId: z.string(),
  score: z.number().min(0).max(1).nullable(),
  label: gradeLabelSchema,
  /** Ids of the aspects that the passage supports. */
  aspects: z.array(z.string()),
  reason: z.string().max(300),
});
export type Grade = z.infer<typeof gradeSchema>;

/** Pages that were asked about and gave no text when their document was read. */
export interface UnreadPages {
  documentId: string;
  title: string;
  pages: PageSpan[];
}

export const verdictSchema = z.enum(['CORRECT', 'AMBIGUOUS', 'INCORRECT']);
export type Verdict = z.infer<typeof verdictSchema>;

const conflictSpanSchema = z.object({ evidenceId: z.string(), start: z.number().int().nonnegative() });

/** Two sources that give different values for the same thing. */
export const conflictSchema = z.object({
  /** Where the two values stand: passage and start of the strip. */
  spans: z.tuple([conflictSpanSchema, conflictSpanSchema]),
  documentIds: z.tuple([z.string(), z.string()]),
  values: z.tuple([z.string(), z.string()]),
  /** The document that the policy prefers, if its metadata decides. */
  preferred: z.string().nullable(),
});
export type Conflict = z.infer<typeof conflictSchema>;

export const evidenceQualitySchema = z.object({
  status: z.enum(['sufficient', 'partial', 'insufficient', 'conflicting']),
  aspects: z.array(z.string()),
  missingAspects: z.array(z.string()),
  conflicts: z.array(conflictSchema),
});
export type EvidenceQuality = z.infer<typeof evidenceQualitySchema>;

/** A span of a passage that was kept for the answer; offsets into the document's normalised text. */
export const keptStripSchema = z.object({
  evidenceId: z.string(),
  documentId: z.string(),
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  score: z.number(),
  aspects: z.array(z.string()),
});
export type KeptStrip = z.infer<typeof keptStripSchema>;
