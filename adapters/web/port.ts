import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import type { DomainRules } from '../../domain/web/url-rules.ts';

/** One hit of a search. Untrusted: written by whoever wrote the page. */
export interface WebResult {
  url: string;
  title: string;
  /** What the search engine shows of the page; empty where it shows nothing. */
  content: string;
  /** The page's text as the provider read it, often Markdown. */
  rawContent: string | null;
  /** The provider's own measure, comparable within one answer only. */
  score: number | null;
  /** ISO time. */
  publishedAt: string | null;
}

/** Told what happens during a search. */
export interface SearchWatch {
  /** Right before the query leaves the house. */
  sending(): void;
  /** Of a search that was to be asked and did not answer, once another has in its place. `instead`: that one's `id`. */
  passedOver(failure: WebSearchError, instead: string): void;
}

export interface WebSearchOptions {
  maxResults: number;
  signal: AbortSignal;
  /** Results from elsewhere are left out, before `maxResults` are counted. */
  domains?: DomainRules;
  /** Whether the provider shall send whole texts, where it can. */
  rawContent?: boolean;
  watch?: SearchWatch | undefined;
}

/** Best hits first. An empty list means that nothing was found; whatever else went wrong is thrown. One HTTP request a call: retries belong to Temporal. */
export interface WebSearch {
  readonly id: string;
  /** @throws WebSearchError, or the signal's reason once that is aborted */
  search(query: string, options: WebSearchOptions): Promise<WebResult[]>;
}

/** Results of a search that was made before. */
export interface KeptResults {
  results: WebResult[];
  /** ISO time of the search. */
  at: string;
}

/** Keeps results for a while. `key` must tell everything that they depend on and for whom they are: tenant, rules, query, options. */
export interface WebResultCache {
  get(key: string): KeptResults | null;
  set(key: string, kept: KeptResults, minutes: number): void;
}

export type WebSearchErrorCode =
  | 'query_too_long'
  | 'invalid_request'
  | 'unauthorized'
  | 'rate_limited'
  | 'plan_exhausted'
  | 'unavailable'
  | 'timeout'
  | 'bad_response';

/** Why a search gave no answer. `retryable`: the same call may succeed later. Messages hold nothing of the query and no key. */
export class WebSearchError extends Error {
  readonly code: WebSearchErrorCode;
  /** `id` of the search that failed. */
  readonly provider: string;
  readonly retryable: boolean;
  /** When the provider wants to be asked again at the earliest. */
  readonly retryAfterMs: number | null;
  constructor(
    code: WebSearchErrorCode,
    message: string,
    options: { provider: string; retryable: boolean; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = 'WebSearchError';
    this.code = code;
    this.provider = options.provider;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

export interface PageLimits {
  /** Of what comes over the wire, and of what that unpacks to. */
  maxBytes: number;
  maxUnpackedBytes: number;
  /** For all of it: robots rules, redirects, body and parsing. */
  timeoutMs: number;
  maxRedirects: number;
  /** Whether the site's robots.txt is asked first. */
  robots: boolean;
  /** No hop may leave them. */
  domains: DomainRules;
}

/** A page as it was when it was read. */
export interface WebPage {
  /** After redirects, without a fragment: what a citation shows. */
  url: string;
  title: string;
  /** ISO time. */
  fetchedAt: string;
  /** SHA-256 in hex of address and text: the same page with the same text has the same hash. */
  contentHash: string;
  document: ParsedDocument;
}

/** Reads pages of the public web, and nothing else: never a private address, by whatever name, redirect or resolver it is reached. */
export interface PageFetcher {
  /** @throws PageError, or the signal's reason once that is aborted */
  fetch(url: string, limits: PageLimits, signal: AbortSignal): Promise<WebPage>;
  /** What a search sent of a page, read as the page would be; nothing is fetched. @throws PageError `unreadable` where it sent no text */
  read(result: WebResult, signal: AbortSignal): Promise<WebPage>;
  close(): Promise<void>;
}

export type PageErrorCode =
  /** Scheme, port, credentials or domain of the address. */
  | 'blocked_url'
  /** Not an address of the public internet. */
  | 'blocked_address'
  | 'blocked_by_robots'
  | 'too_many_redirects'
  | 'too_large'
  | 'unsupported_type'
  | 'not_found'
  /** The site wants a login, a payment or no programs. */
  | 'refused'
  | 'rate_limited'
  | 'unavailable'
  | 'timeout'
  | 'bad_response'
  /** It was fetched, but holds no text that could be read. */
  | 'unreadable';

/** Why a page could not be read. `retryable`: the same call may succeed later. Messages hold no text of the page and no more of its address than the host. */
export class PageError extends Error {
  readonly code: PageErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  constructor(
    code: PageErrorCode,
    message: string,
    options: { retryable?: boolean; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'PageError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
