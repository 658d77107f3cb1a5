import type { TrailEntry } from '../contracts/review.ts';

/** Refusals and comments come from outside in any number: that many of each are kept, so that the run's history of them stays bounded. */
const maxOfAKind = 200;

export type TrailLine = Pick<TrailEntry, 'actor' | 'action'> & Partial<TrailEntry>;

/** The audit trail of a run's reviews, oldest first. */
export class ReviewTrail {
  private readonly lines: TrailEntry[] = [];

  add({ actor, action, ...rest }: TrailLine & Pick<TrailEntry, 'at' | 'round'>): void {
    if (action === 'refused' && !this.hasRoomFor(action)) return;
    this.lines.push({ actor, action, from: null, to: null, decision: null, note: null, ...rest });
  }

  hasRoomFor(action: 'refused' | 'commented'): boolean {
    return this.lines.filter((line) => line.action === action).length < maxOfAKind;
  }

  entries(): TrailEntry[] {
    return [...this.lines];
  }
}
