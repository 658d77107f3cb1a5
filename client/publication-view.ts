import type { WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import { z } from 'zod';
import { reviewedDocumentId } from '../domain/review/reviewed-document-id.ts';
import type { RunRef } from './question-view.ts';
import type { FailureReason } from './run-end.ts';

/** A reviewed document as it stands. */
const standingSchema = z.object({
  by: z.string(),
  /** ISO time. */
  at: z.string(),
  title: z.string(),
  /** The last ISO day on which it answers; null: until it is withdrawn. */
  validUntil: z.string().nullable(),
  /** Who may read it: members of any of these; empty: everybody of the tenant. */
  groups: z.array(z.string()),
  /** Whether some of them may not read all of the evidence, as was allowed. */
  wider: z.boolean(),
});
export type Standing = z.infer<typeof standingSchema>;

/** Noted with a run that publishes or withdraws: by whom, a hash of the request, and what stood before. One entry: the server drops those that are null or empty. */
const memoSchema = z.object({
  action: z.enum(['publish', 'withdraw']),
  questionId: z.string(),
  by: z.string(),
  title: z.string(),
  validUntil: z.string().nullable(),
  request: z.string(),
  before: standingSchema.nullable(),
});
export type PublicationMemo = z.infer<typeof memoSchema>;

/** What the run has noted of its end. */
const publishedSchema = z.object({
  status: z.string(),
  groups: z.array(z.string()),
  wider: z.boolean(),
  at: z.string(),
  reason: z.object({ code: z.string(), message: z.string() }).nullable(),
});
const withdrawnSchema = z.object({ withdrawn: z.boolean(), at: z.string() });

export interface PublicationState {
  status: 'unpublished' | 'publishing' | 'published' | 'withdrawing' | 'withdrawn';
  /** The document that stands, also while it is being replaced or withdrawn. */
  published: Standing | null;
  withdrawn: { by: string; at: string } | null;
  /** Why the last try failed. */
  reason: FailureReason | null;
}

/** As `GET /v1/reviews/{id}/publication` returns it. */
export interface PublicationView extends PublicationState {
  id: string;
  documentId: string;
  /** Of the newest run that published or withdrew. */
  run: RunRef | null;
}

export const unpublished: PublicationState = { status: 'unpublished', published: null, withdrawn: null, reason: null };

export function publicationMemo(memo: Record<string, unknown> | undefined): PublicationMemo | null {
  return memoSchema.safeParse(memo?.['publication']).data ?? null;
}

/** How a publication stands after its newest run. */
export function publicationState({
  status: { name },
  memo,
}: Pick<WorkflowExecutionDescription | WorkflowExecutionInfo, 'status' | 'memo'>): PublicationState {
  const noted = publicationMemo(memo);
  if (noted === null) return unpublished;
  const running = name === 'RUNNING';
  return noted.action === 'publish'
    ? publishedState(noted, { memo, running })
    : withdrawnState(noted, { memo, running });
}

interface Run {
  memo: Record<string, unknown> | undefined;
  running: boolean;
}

function publishedState({ by, title, validUntil, before }: PublicationMemo, { memo, running }: Run): PublicationState {
  if (running) return { ...unpublished, status: 'publishing', published: before };
  const { data: result } = publishedSchema.safeParse(memo?.['result']);
  if (result === undefined || result.reason !== null) return { ...standing(before), reason: result?.reason ?? null };
  const { at, groups, wider } = result;
  return standing({ by, at, title, validUntil, groups, wider });
}

function withdrawnState({ by, before }: PublicationMemo, { memo, running }: Run): PublicationState {
  if (running) return { ...unpublished, status: 'withdrawing', published: before };
  const { data: result } = withdrawnSchema.safeParse(memo?.['result']);
  if (result === undefined) return standing(before);
  return { ...unpublished, status: 'withdrawn', withdrawn: { by, at: result.at } };
}

function standing(published: Standing | null): PublicationState {
  return { ...unpublished, status: published === null ? 'unpublished' : 'published', published };
}

export function publicationView(id: string, state: PublicationState, run: RunRef | null): PublicationView {
  return { id, documentId: reviewedDocumentId(id), ...state, run };
}
