import type { Access } from '../../domain/contracts/access.ts';
import type { DocumentMetadata, Passage, Strip } from '../../domain/contracts/document.ts';
import type { DocumentFormat } from '../../domain/contracts/parsed-document.ts';

/** A passage with its vectors: one for the passage, one for each strip, in the same order. All of unit length. */
export interface EmbeddedPassage extends Passage {
  vector: Float32Array;
  stripVectors: Float32Array[];
}

/** One version of a document, before it is published. `version` is a content hash: same bytes and same splitting, same version. */
export interface DocumentVersion {
  tenant: string;
  documentId: string;
  version: string;
  format: DocumentFormat;
  metadata: DocumentMetadata;
  /** Normalised text, whole. */
  text: string;
  /** Hash of the source bytes. */
  contentHash: string;
  bytes: number;
  pages: number | null;
  /** Pages (1-based) that gave no text, where that is known; not longer than a report's. */
  pagesWithoutText?: number[];
  warnings: string[];
  ingestedAt: string;
}

export interface StoredDocument {
  documentId: string;
  version: string;
  format: DocumentFormat;
  metadata: DocumentMetadata;
  contentHash: string;
  bytes: number;
  pages: number | null;
  pagesWithoutText?: number[];
  passages: number;
  warnings: string[];
  ingestedAt: string;
}

export interface SearchQuery {
  text: string;
  /** Identifiers that must weigh as whole units (E-0417/b). */
  identifiers: string[];
  /** Null: only the BM25 leg runs. */
  vector: Float32Array | null;
  /** Hits from each leg. */
  candidates: number;
  statuses: DocumentMetadata['status'][];
  /** ISO day: documents not in effect on that day are filtered out. */
  asOf: string;
  tags?: string[];
  documentIds?: string[];
}

export interface Hit {
  passageId: string;
  documentId: string;
  /** BM25 score, or cosine similarity; higher is better; comparable within one leg only. */
  score: number;
}

/** Both legs, best first, each already filtered by tenant, groups, status and validity. */
export interface SearchHits {
  bm25: Hit[];
  knn: Hit[];
}

export interface StoredPassage extends Passage {
  title: string;
  uri: string;
  metadata: DocumentMetadata;
  vector: Float32Array | null;
  stripVectors: Float32Array[] | null;
  strips: Strip[];
}

/** A passage compared with a question. */
export interface ComparedPassage {
  passageId: string;
  vector: Float32Array;
  /** Cosine of the question and the nearest strip; of the passage where it has no strips. */
  bestStrip: number;
}

export interface DocumentFilter {
  status?: DocumentMetadata['status'];
  tag?: string;
  /** Case-insensitive, part of title or id. */
  search?: string;
  /** Exclusive: the `documentId` after which the page begins. */
  after?: string;
  limit: number;
}

/**
 * The corpus of all tenants. Every read takes an `Access` and sees only live versions of that tenant's documents whose groups
 * are empty or share one with the asker. Every failure of the store is thrown as `IndexError`; an empty result means that nothing is there.
 */
export interface IndexPort {
  readonly kind: 'embedded' | 'elasticsearch';
  search(access: Access, query: SearchQuery): Promise<SearchHits>;
  /** In the order of `ids`; those that are gone or not readable are left out. */
  passages(access: Access, ids: string[], options?: { vectors?: boolean }): Promise<StoredPassage[]>;

  /** Without the texts, so that many can be compared. In no order; ids that are gone or not readable are left out. */
  compare(access: Access, ids: string[], question: Float32Array): Promise<ComparedPassage[]>;

  /** The version that is live, whoever may read it, or null. */
  liveVersion(tenant: string, documentId: string): Promise<string | null>;
  /**
   * Begins or goes on with an unpublished version. Calling it again with the same version keeps its passages and takes the metadata given,
   * since rights may have changed since an ingestion that was given up. Changes nothing when that version is live.
   */
  beginVersion(version: DocumentVersion): Promise<void>;
  /** Which of these passage ids are not stored for that version yet: what a resumed ingestion still has to embed. */
  missingPassages(version: VersionKey, ids: string[]): Promise<string[]>;
  /** Adds or replaces passages of an unpublished version (by passage id). */
  stagePassages(version: VersionKey, passages: EmbeddedPassage[]): Promise<void>;
  /** Makes the version the live one in a single step, then removes the version before it. Repeatable. */
  publishVersion(version: VersionKey): Promise<void>;
  /** Removes an unpublished version. Repeatable; never touches a live one. */
  discardVersion(version: VersionKey): Promise<void>;

  /** The live document, or null. */
  document(access: Access, documentId: string): Promise<StoredDocument | null>;
  documentText(access: Access, documentId: string): Promise<string | null>;
  listDocuments(access: Access, filter: DocumentFilter): Promise<StoredDocument[]>;
  /** Rights and the rest of the metadata of a live document, without ingesting it anew. False when it is not there. */
  updateMetadata(tenant: string, documentId: string, metadata: DocumentMetadata): Promise<boolean>;
  /** Removes document, passages and vectors. False when it was not there. */
  deleteDocument(tenant: string, documentId: string): Promise<boolean>;

  /** Of what this asker may read. */
  counts(access: Access): Promise<{ documents: number; passages: number }>;
  health(): Promise<{ ok: boolean; detail: string }>;
  close(): Promise<void>;
}

export interface VersionKey {
  tenant: string;
  documentId: string;
  version: string;
}

/** Why the store could not do what it was asked. `retryable`: the same call may succeed later. Messages hold no document text. */
export class IndexError extends Error {
  readonly code: 'unavailable' | 'locked' | 'corrupt' | 'mapping' | 'too_large' | 'rejected';
  readonly retryable: boolean;
  constructor(code: IndexError['code'], message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'IndexError';
    this.code = code;
    this.retryable = options.retryable;
  }
}
