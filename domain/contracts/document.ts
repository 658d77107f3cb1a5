import { z } from 'zod';

const isoDate = z.iso.date();

/**
 * What is known of a document beside its text. `groups` empty: every member of the tenant may read it.
 * Dates are ISO calendar days, both ends inclusive. `authority` 0–100; the higher one weighs more in a conflict.
 */
export const documentMetadataSchema = z.object({
  title: z.string().min(1).max(500),
  uri: z.string().max(2000),
  language: z.string().max(35).nullable(),
  status: z.enum(['active', 'superseded', 'draft']),
  authority: z.number().min(0).max(100),
  effectiveFrom: isoDate.nullable(),
  effectiveTo: isoDate.nullable(),
  supersedes: z.string().max(200).nullable(),
  groups: z.array(z.string().min(1).max(100)).max(200),
  tags: z.array(z.string().min(1).max(100)).max(100),
});
export type DocumentMetadata = z.infer<typeof documentMetadataSchema>;

/** Front matter, a sidecar file or the call: any part of the metadata, and the document's own id. */
export const metadataOverridesSchema = documentMetadataSchema.partial().extend({
  id: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,199}$/u, 'an id is 1–200 letters, digits, . _ / -')
    .optional(),
});
export type MetadataOverrides = z.infer<typeof metadataOverridesSchema>;

/** A unit that can be cited alone: a sentence, a list item, a table row, a code block. Offsets are UTF-16 units into the document's normalised text. */
export interface Strip {
  start: number;
  end: number;
  kind: 'sentence' | 'item' | 'row' | 'code';
  /** For a row: the table's header row, which may stand in an earlier passage; `text` is the document's text at that span. */
  header: { start: number; end: number; text: string } | null;
}

/**
 * A span of one document version, the unit of retrieval. `text` is the document's normalised text from `start` to `end`, to the letter.
 * `context` (title, headings path, table header) is indexed and embedded with it but never quoted as its text.
 */
export interface Passage {
  id: string;
  documentId: string;
  version: string;
  ordinal: number;
  start: number;
  end: number;
  text: string;
  context: string;
  section: string;
  page: number | null;
  strips: Strip[];
}
