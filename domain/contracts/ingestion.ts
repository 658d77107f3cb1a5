import { z } from 'zod';
import { metadataOverridesSchema } from './document.ts';

/** How passages are cut, in tokens of the embedding model. */
export interface SplitOptions {
  targetTokens: number;
  overlapTokens: number;
}

/** A file that the worker can read. `path` is absolute; `name` is what people call it and what the document id is made from. */
export const sourceFileSchema = z.object({
  path: z.string(),
  name: z.string(),
  uri: z.string(),
  overrides: metadataOverridesSchema,
});
export type SourceFile = z.infer<typeof sourceFileSchema>;

export const documentStateSchema = z.enum(['ready', 'ready_with_warnings', 'unchanged', 'failed']);

/** What became of one document. Never holds document text. */
export const documentReportSchema = z.object({
  documentId: z.string(),
  name: z.string(),
  state: documentStateSchema,
  /** Set when failed: `Document.NoText`, `Document.Encrypted`, `Document.TooLarge`, `Document.UnknownType`, … */
  code: z.string().nullable(),
  message: z.string().nullable(),
  warnings: z.array(z.string()),
  pages: z.number().int().nullable(),
  /** Pages (1-based) that gave no text. */
  pagesWithoutText: z.array(z.number().int()),
  passages: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  ms: z.number().nonnegative(),
});
export type DocumentReport = z.infer<typeof documentReportSchema>;

/**
 * What a run takes in: a few files as they are, or a list of any length on the worker's disk (JSON Lines, a `SourceFile` each).
 * Beyond about fifty files use the list: workflow inputs stay small.
 */
export const ingestionSourceSchema = z.union([
  z.object({ files: z.array(sourceFileSchema).max(50) }),
  z.object({ manifest: z.string().min(1) }),
]);
export type IngestionSource = z.infer<typeof ingestionSourceSchema>;

export const ingestionOptionsSchema = z.object({
  /** Tokens of the embedding model; the overlap at most half of the target. */
  targetTokens: z.number().int().min(16).max(2000).default(180),
  overlapTokens: z.number().int().min(0).max(500).default(40),
  /** Documents worked on at the same time. */
  parallel: z.number().int().min(1).max(32).default(4),
  /** Tries of a step before its document fails. */
  attempts: z.number().int().min(1).max(50).default(8),
});
export type IngestionOptions = z.infer<typeof ingestionOptionsSchema>;

export const ingestionCountsSchema = z.object({
  ready: z.number().int(),
  readyWithWarnings: z.number().int(),
  unchanged: z.number().int(),
  failed: z.number().int(),
  passages: z.number().int(),
  bytes: z.number().int(),
});
export type IngestionCounts = z.infer<typeof ingestionCountsSchema>;

/** The outcome of a run. `documents`: all of a small run, else those not plainly ready, as far as `omitted` is 0; the run's report has every one. */
export const ingestionReportSchema = z.object({
  total: z.number().int(),
  counts: ingestionCountsSchema,
  documents: z.array(documentReportSchema),
  /** Documents not plainly ready that are left out above. */
  omitted: z.number().int(),
  ms: z.number(),
});
export type IngestionReport = z.infer<typeof ingestionReportSchema>;

/** What a run is started with. */
export interface IngestionInput {
  tenant: string;
  user: string;
  /** Groups of whoever sent the files; absent for an operator of this house, who may replace any document of the tenant. */
  groups?: string[];
  source: IngestionSource;
  options: IngestionOptions;
  /** Set by a run for its successor, never by a starter. */
  carried?: IngestionState;
}

/** What one run hands to the next when its history has grown. */
export interface IngestionState {
  /** Where the list goes on, in bytes. */
  next: number;
  total: number;
  /** Batches of the report written so far. */
  batches: number;
  startedAt: number;
  done: number;
  counts: IngestionCounts;
  documents: DocumentReport[];
  omitted: number;
  /** Documents in a row that failed because the index or a model was away. */
  outages: number;
}

/** What the query `ingestProgress` tells while a run goes and afterwards. */
export interface IngestionProgress {
  /** Null until the list was read. */
  total: number | null;
  done: number;
  counts: IngestionCounts;
  inFlight: { name: string; step: 'read' | 'embed' | 'publish'; passages: number | null; passagesDone: number }[];
  documents: DocumentReport[];
  omitted: number;
}
