import type { DecideReview, DecisionResult } from '../contracts/review.ts';
import { refusal, type ReviewRefusal } from './refusals.ts';

/** Decisions that may wait for their round. */
const maxEarly = 10;

/** What was asked of a review by which request, so that a repeated one gets the first result, and those that came too early. */
export class Requests {
  private readonly results = new Map<string, { result: DecisionResult; request: DecideReview }>();
  private early: DecideReview[] = [];

  resultOf(request: DecideReview): DecisionResult | null {
    return this.results.get(keyOf(request))?.result ?? null;
  }

  /** The same id of the same person with other content. */
  reused(request: DecideReview): ReviewRefusal | null {
    const known = this.results.get(keyOf(request));
    if (known === undefined || sameContent(known.request, request)) return null;
    return refusal('Review.KeyReused', 'this request id came with another decision before; send a new one');
  }

  keep(request: DecideReview, result: DecisionResult): DecisionResult {
    this.results.set(keyOf(request), { result, request });
    return result;
  }

  /** False when there is no room. */
  keepEarly(request: DecideReview): boolean {
    if (this.early.length >= maxEarly) return false;
    this.early.push(request);
    return true;
  }

  takeEarly(round: number): DecideReview[] {
    const due = this.early.filter((request) => request.round <= round);
    this.early = this.early.filter((request) => request.round > round);
    return due;
  }
}

function keyOf({ actor, requestId }: DecideReview): string {
  return JSON.stringify([actor.user, requestId]);
}

/** By the callers' hashes where both have one: the same file sent twice lies at two paths. */
function sameContent(one: DecideReview, other: DecideReview): boolean {
  if (one.fingerprint && other.fingerprint) return one.fingerprint === other.fingerprint;
  return contentOf(one) === contentOf(other);
}

function contentOf({ round, decision, comment }: DecideReview): string {
  return JSON.stringify([round, decision, comment]);
}
