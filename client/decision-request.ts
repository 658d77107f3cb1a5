import { createHash } from 'node:crypto';
import type { ReviewDecision } from '../domain/contracts/review.ts';

/** A decision as a person sends it. */
export interface DecisionRequest {
  /** A repeated id of one person gets the first result. */
  requestId: string;
  /** The round that this person has seen. */
  round: number;
  decision: ReviewDecision;
  comment: string | null;
  /** Hash of the file that came with it, which has another path at each repetition. */
  fileHash?: string;
}

/** Temporal's id of the update: the same person and request id give the same, and everybody else another. */
export function updateIdOf(user: string, requestId: string): string {
  return `decide-${sha256([user, requestId]).slice(0, 32)}`;
}

/** The same for the same content, in whatever order its fields came. */
export function fingerprintOf({ round, decision, comment, fileHash }: DecisionRequest): string {
  const content =
    fileHash !== undefined && decision.kind === 'addEvidence'
      ? { ...decision, evidence: { ...decision.evidence, path: fileHash } }
      : decision;
  return sha256([round, inOrder(content), comment]);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, field]) => [name, inOrder(field)]);
}

function sha256(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
