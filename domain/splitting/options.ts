import type { SplitOptions } from '../contracts/ingestion.ts';

/** Raise it when the same text would be cut otherwise: versions are derived from it, so that documents are cut anew. */
export const splitterVersion = 1;

export interface SplitterOptions extends SplitOptions {
  /** The embedding model's window. A quarter of it is kept for the context that is embedded in front of a passage. */
  maxTokens: number;
  countTokens: (text: string) => number;
  /** Hex digest of at least 20 digits. */
  hash: (text: string) => string;
}

/** What a passage belongs to; part of its id. */
export interface DocumentIdentity {
  tenant: string;
  documentId: string;
  version: string;
  title: string;
}

export interface TokenBudget {
  /** What a passage aims at. */
  target: number;
  overlap: number;
  /** What one passage may hold at most, so that the model sees all of it. */
  limit: number;
  /** What its context may hold at most. */
  context: number;
}

/** @throws RangeError when the options leave no room for text. */
export function tokenBudget({ targetTokens, overlapTokens, maxTokens }: SplitterOptions): TokenBudget {
  const context = Math.floor(maxTokens / 4);
  const limit = maxTokens - context;
  const target = Math.min(targetTokens, limit);
  if (target < 8 || overlapTokens < 0 || overlapTokens * 2 > target) {
    throw new RangeError(
      `passages of ${targetTokens} tokens with an overlap of ${overlapTokens} do not fit a window of ${maxTokens}`,
    );
  }
  return { target, overlap: overlapTokens, limit, context };
}
