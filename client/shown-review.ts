import type { Citation, Statement } from '../domain/contracts/answer.ts';
import type { ReadReview } from './review-view.ts';

/** A statement of the draft. `withheld`: it rests on something that this reader may not read, or that is gone; its text is null then. */
export type ShownStatement = Omit<Statement, 'text'> & { text: string | null; withheld: boolean };

/** The draft as far as its sources are open to this reader. `withheld`: a statement is, and so `answer` is null. */
export interface ShownDraft {
  answer: string | null;
  withheld: boolean;
  statements: ShownStatement[];
  /** `quote` is empty where the source is gone or closed to this reader. */
  citations: Citation[];
}

/** A review as `GET /v1/reviews/{id}` returns it: nothing in it is from a document that its reader may not read now. */
export interface ShownReview extends Omit<ReadReview, 'draft'> {
  draft: ShownDraft | null;
}
