import type { AuditEntry } from '../../domain/contracts/audit.ts';
import type { Passage } from '../../domain/contracts/document.ts';
import type { LiveEvent } from '../../domain/contracts/events.ts';
import type { TenantWebRules } from '../../domain/contracts/web-policy.ts';
import type { StoredPassage } from '../index/port.ts';

/** Carries live events of runs from workers to readers. May lose events: readers fill gaps from the run's own state. */
export interface EventsPort {
  publish(workflowId: string, event: LiveEvent): void;
  /** Returns the unsubscribe function. */
  subscribe(workflowId: string, listener: (event: LiveEvent) => void): () => void;
  close(): Promise<void>;
}

/** A page of the web as it was when it was read, or a text that a reviewer gave, beside its passages. */
export interface EvidencePage {
  tenant: string;
  /** Content hash: the same page with the same text is one page. Its passages have it as `documentId` and `version`. */
  id: string;
  /** Of a reviewer's text: what the reviewer says it is from; may be empty. */
  url: string;
  title: string;
  /** Normalised text, whole: what offsets of passages and citations refer to. */
  text: string;
  language: string | null;
  /** ISO times. `fetchedAt`: when this text was read last. */
  publishedAt: string | null;
  fetchedAt: string;
  /** From then on it is gone. */
  expiresAt: string;
  /** What it weighs in a conflict, 0–100. */
  authority: number;
}

/** Vectors null: not embedded. Else one for the passage and one for each strip, in the same order. */
export interface EvidencePassage extends Passage {
  vector: Float32Array | null;
  stripVectors: Float32Array[] | null;
}

/**
 * What was read outside of the corpus, so that a quote can be checked and a replay shows what was read then. Open to everybody of its tenant and to
 * nobody else. Every failure is thrown as `EvidenceError`; what is left out of an answer has expired or was never there.
 */
export interface EvidenceStore {
  readonly kind: 'embedded' | 'elasticsearch';
  /**
   * Stores a page with some of its passages; can be read at once. Of a page that is there already, the passages stay beside those that come, since
   * runs may cite them, and it never expires earlier than it would have.
   */
  put(page: EvidencePage, passages: EvidencePassage[]): Promise<void>;
  /** Passages by their ids, in that order, as the index gives those of the corpus. */
  get(tenant: string, passageIds: string[]): Promise<StoredPassage[]>;
  page(tenant: string, id: string): Promise<EvidencePage | null>;
  /** False when it was not there. */
  delete(tenant: string, id: string): Promise<boolean>;
  /** Removes what has expired, of all tenants; gives the number of pages. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** Why the store could not do what it was asked. `retryable`: the same call may succeed later. Messages hold no text of pages. */
export class EvidenceError extends Error {
  readonly code: 'unavailable' | 'locked' | 'corrupt' | 'too_large' | 'rejected';
  readonly retryable: boolean;
  constructor(code: EvidenceError['code'], message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'EvidenceError';
    this.code = code;
    this.retryable = options.retryable;
  }
}

/** Who tried what on the reviews of a question, also what was refused. Every failure is thrown as `AuditError`. */
export interface AuditLog {
  /** Resolves when the entry outlives a power cut. */
  record(entry: AuditEntry): Promise<void>;
  /** Oldest first; of very many, the newest. */
  of(tenant: string, questionId: string): Promise<AuditEntry[]>;
}

/** An entry could not be kept, or the entries cannot be read. `message` says what to mend. */
export class AuditError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'AuditError';
  }
}

/** What tenants allow, read when it is needed: a change holds at once, also for runs that are under way. */
export interface TenantRules {
  /** @throws TenantRulesError when they cannot be read: then nothing may be taken for allowed */
  web(tenant: string): Promise<TenantWebRules>;
}

/** The rules of tenants cannot be read. `message` says what to mend. */
export class TenantRulesError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'TenantRulesError';
  }
}
