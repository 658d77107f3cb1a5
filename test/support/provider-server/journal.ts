import type { ProviderRequest } from './request.ts';

/** One call that the server got. Times are milliseconds since the server's start. */
export interface JournalEntry {
  /** 1 for the first. */
  n: number;
  request: ProviderRequest;
  at: number;
  /** Null while no head of an answer has been sent. */
  status: number | null;
  /** Pieces of a stream that were sent. */
  pieces: number;
  /** When the exchange was over; null while it goes on. */
  endedAt: number | null;
  /** Whether the client went away before the answer had been sent whole. */
  closedEarly: boolean;
  /** Settles when the exchange is over. */
  ended: Promise<void>;
}
