import { z } from 'zod';
import type { IngestionOptions } from './ingestion.ts';

/** Body of `POST /v1/reviews/{id}/publication`. */
export const publicationRequestSchema = z.strictObject({
  /** Default: the question. */
  title: z.string().trim().min(1).max(500).optional(),
  /** The last ISO day on which the document answers; null: until it is withdrawn. */
  validUntil: z.iso.date('must be a day, such as 2027-12-31').nullable().default(null),
  /** Who may read it: members of any of these groups; empty: everybody of the tenant. Default: see `publicationGroups`. */
  groups: z.array(z.string().trim().min(1).max(100)).max(200).optional(),
  /** Lets `groups` reach people who may not read the evidence. */
  allowWider: z.boolean().default(false),
});
export type PublicationRequest = z.output<typeof publicationRequestSchema>;

/** What of a reviewed run becomes the document's text. */
export type ReviewedText =
  | { kind: 'answer'; statements: string[]; sources: { title: string; uri: string }[] }
  /** Passages of the evidence store, by their ids. */
  | { kind: 'evidence'; passages: string[] };

/** The part of an ended run that can be published, and who stands for it. */
export interface Reviewed {
  text: ReviewedText;
  reviewer: string;
  approvedBy: string | null;
  /** ISO time. */
  decidedAt: string;
  /** Documents of the corpus that the run's answer cites. */
  citedDocuments: string[];
}

/** What the workflow `publishReview` is started with. */
export interface PublishReviewInput {
  tenant: string;
  /** Whoever publishes, with the groups of that person. */
  user: string;
  groups: string[];
  questionId: string;
  question: string;
  asker: { groups: string[] };
  reviewed: Reviewed;
  title: string;
  validUntil: string | null;
  /** Null: the default. */
  wanted: string[] | null;
  allowWider: boolean;
  /** 0–100. */
  authority: number;
  ingestion: IngestionOptions;
}

/** What became of a publication; `unchanged`: the document was there as it is. */
export interface PublicationResult {
  documentId: string;
  status: 'ready' | 'ready_with_warnings' | 'unchanged' | 'failed';
  /** Who may read it; empty: everybody of the tenant. */
  groups: string[];
  /** Whether some of them may not read all of the evidence. */
  wider: boolean;
  /** ISO time. */
  at: string;
  /** Set when it failed: why the document was not taken in. */
  reason: { code: string; message: string } | null;
}

/** What the workflow `withdrawReview` is started with. */
export interface WithdrawReviewInput {
  tenant: string;
  documentId: string;
}

export interface WithdrawalResult {
  /** False when there was no document. */
  withdrawn: boolean;
  /** ISO time. */
  at: string;
}
