import { z } from 'zod';
import { hasControlCharacters } from '../text/control-characters.ts';
import { roleSchema } from './access.ts';
import { decisionKindSchema, reviewReasonSchema } from './review-policy.ts';

const text = z.string().refine((given) => !hasControlCharacters(given), 'contains control characters; remove them');
const line = text.trim().min(1).max(500);
const uri = text.trim().max(2000).default('');
/** A text that a person gives, in UTF-16 code units: it is kept in the run's history, so long ones come as a file. */
const passage = text.trim().min(1).max(20_000);

/** What a person says to the trail. */
export const reviewCommentSchema = text.trim().min(1).max(2000);

/** Title of evidence. */
export const evidenceTitleSchema = line;

/** Which addresses may be read is told where they are fetched, with what to do instead. */
const address = z
  .string()
  .trim()
  .max(2000)
  .refine(isWebAddress, 'must be a whole address with http:// or https://, and without user name and password');

/** Where the text of an answer or of evidence is from. `text` null: the reviewer is the source. */
export const reviewSourceSchema = z.strictObject({
  title: line,
  uri,
  text: passage.nullable().default(null),
});
export type ReviewSource = z.infer<typeof reviewSourceSchema>;

/** `file`: one that the workers can read at its path, as an upload is. */
export const addedEvidenceSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z.literal('text'),
    text: passage,
    title: line,
    uri,
  }),
  z.strictObject({
    from: z.literal('file'),
    path: z.string().min(1).max(4000),
    name: line,
    title: evidenceTitleSchema.optional(),
  }),
  z.strictObject({ from: z.literal('address'), url: address }),
]);
export type AddedEvidence = z.infer<typeof addedEvidenceSchema>;

export const reviewDecisionSchema = z.discriminatedUnion('kind', [
  /** The outcome stands as it is: an abstention, or the draft with its limitation. */
  z.strictObject({ kind: z.literal('confirm') }),
  /** The reviewer's own answer. `vouched`: it stands although the rules do not find it in the source's text. */
  z.strictObject({
    kind: z.literal('answer'),
    text: passage,
    source: reviewSourceSchema,
    vouched: z.boolean().default(false),
  }),
  /** The run goes on at its grading with this. */
  z.strictObject({ kind: z.literal('addEvidence'), evidence: addedEvidenceSchema }),
  /** The run searches again: with another query, with words beside the question, on the web, under a higher cost ceiling (US dollars). */
  z.strictObject({
    kind: z.literal('retry'),
    query: line.optional(),
    hint: line.optional(),
    web: z.boolean().optional(),
    maxCostUsd: z.number().positive().optional(),
  }),
  /** Nothing is released: the question is denied. */
  z.strictObject({ kind: z.literal('reject'), reason: line }),
  /** A second reviewer lets a proposed decision stand, or gives it back. */
  z.strictObject({ kind: z.literal('approve') }),
  z.strictObject({ kind: z.literal('decline'), reason: line }),
]);
export type ReviewDecision = z.infer<typeof reviewDecisionSchema>;

function isWebAddress(given: string): boolean {
  const url = URL.parse(given);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** Who acts on a review; from the token at the door, or typed by whoever may reach Temporal. */
export const actorSchema = z.object({
  user: z.string().min(1).max(200),
  groups: z.array(z.string()),
  roles: z.array(roleSchema),
});
export type Actor = z.infer<typeof actorSchema>;

/** Argument of the update and of the signal `decideReview`. */
export interface DecideReview {
  /** A repeated id of one actor gets the first result. */
  requestId: string;
  /** Hash of what was sent, given back with the result, so that the caller can tell whose result it is. */
  fingerprint?: string;
  actor: Actor;
  /** The round that the reviewer has seen: a decision never falls on a later one. */
  round: number;
  decision: ReviewDecision;
  comment?: string | null;
}

/** Argument of the update `claimReview`. `release`: gives a claim back. `takeOver`: also when somebody else has it. */
export interface ClaimReview {
  actor: Actor;
  round: number;
  how: 'claim' | 'takeOver' | 'release';
}

/** Argument of the update `commentReview`. */
export interface CommentReview {
  actor: Actor;
  text: string;
}

/**
 * `open`, `claimed` and `proposed` (a second reviewer is asked) wait for a person. `continuing`: decided, and the run goes on with it. `decided`,
 * `expired` and `cancelled` are final.
 */
export const reviewStateSchema = z.enum([
  'open',
  'claimed',
  'proposed',
  'continuing',
  'decided',
  'expired',
  'cancelled',
]);
export type ReviewState = z.infer<typeof reviewStateSchema>;

/** One line of the audit trail; `at` is Temporal's time. `actor` null: the run itself. */
export const trailEntrySchema = z.object({
  at: z.string(),
  actor: z.string().nullable(),
  action: z.enum([
    'opened',
    'claimed',
    'released',
    'commented',
    'proposed',
    'approved',
    'declined',
    'decided',
    'returned',
    'refused',
    'reminded',
    'escalated',
    'expired',
    'cancelled',
    /** A notification that nobody took. */
    'undelivered',
    /** The run was resumed from an earlier step, which undoes what was decided after it. */
    'resumed',
    'undone',
  ]),
  round: z.number().int().nonnegative(),
  from: reviewStateSchema.nullable(),
  to: reviewStateSchema.nullable(),
  /** Kind of the decision, where there is one. */
  decision: z.string().nullable(),
  note: z.string().nullable(),
});
export type TrailEntry = z.infer<typeof trailEntrySchema>;

/** What a decision led to. `by` and `at` are the winner's. */
export const decidedSchema = z.object({
  round: z.number().int().positive(),
  kind: decisionKindSchema,
  by: z.string(),
  at: z.string(),
  /** The second reviewer, where one was needed. */
  approvedBy: z.string().nullable(),
  comment: z.string().nullable(),
});
export type Decided = z.infer<typeof decidedSchema>;

/** The review as the outcome keeps it and as lists show it. */
export const reviewSummarySchema = z.object({
  state: reviewStateSchema,
  round: z.number().int().positive(),
  reason: reviewReasonSchema,
  openedAt: z.string(),
  deadline: z.string(),
  groups: z.array(z.string()),
  claimedBy: z.string().nullable(),
  proposed: z.object({ kind: decisionKindSchema, by: z.string(), at: z.string() }).nullable(),
  decided: decidedSchema.nullable(),
});
export type ReviewSummary = z.infer<typeof reviewSummarySchema>;

export const reviewRecordSchema = reviewSummarySchema.extend({ trail: z.array(trailEntrySchema) });
export type ReviewRecord = z.infer<typeof reviewRecordSchema>;

/** Result of the update `decideReview`. */
export interface DecisionResult {
  requestId: string;
  fingerprint: string;
  /** `proposed`: it waits for a second reviewer. */
  state: ReviewState;
  round: number;
  kind: ReviewDecision['kind'];
  by: string;
  at: string;
}
