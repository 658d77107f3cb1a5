import { z } from 'zod';
import { metadataOverridesSchema } from './document.ts';
import { ingestionOptionsSchema } from './ingestion.ts';

export const syncOptionsSchema = z.object({
  /**
   * Put before the names of the folder's files, with a `/`, so that two folders of one tenant may hold files of the same name; '' for none.
   * Another prefix makes other documents: the former ones are then removed.
   */
  prefix: z
    .string()
    .regex(
      /^([\p{L}\p{N}][\p{L}\p{N}._-]*(\/[\p{L}\p{N}][\p{L}\p{N}._-]*)*)?$/u,
      'a prefix is made of letters, digits, . _ - and /',
    )
    .max(100)
    .default(''),
  /** Metadata of all documents of the folder; outweighs front matter and sidecars. */
  overrides: metadataOverridesSchema.omit({ id: true }).default({}),
  ingestion: ingestionOptionsSchema.default(ingestionOptionsSchema.parse({})),
});
export type SyncOptions = z.infer<typeof syncOptionsSchema>;

/** What one synchronisation is started with. `folder` is absolute, as the workers see it. */
export interface SyncInput {
  tenant: string;
  user: string;
  folder: string;
  options: SyncOptions;
}

export interface SyncCounts {
  /** Taken in for the first time by this folder's synchronisations. */
  added: number;
  changed: number;
  unchanged: number;
  /** Not taken in; an earlier version of theirs stays as it was. */
  failed: number;
}

/** The outcome of one synchronisation. */
export interface SyncReport {
  counts: SyncCounts & { deleted: number };
  /** Ids of documents whose files are gone, a hundred at most. */
  deleted: string[];
  /** Files and folders below that could not be read, twenty at most; documents from there stay. */
  unreadable: string[];
  unreadableCount: number;
  /** The run that took the files in, whose report has every document; null when the folder holds none. */
  ingestion: string | null;
  ms: number;
}
