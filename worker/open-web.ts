import type { DocumentParser } from '../adapters/parsers/port.ts';
import { createElasticsearchEvidenceStore } from '../adapters/store/evidence/elasticsearch/index.ts';
import { createEmbeddedEvidenceStore } from '../adapters/store/evidence/embedded/index.ts';
import type { EvidenceStore } from '../adapters/store/port.ts';
import { createPageFetcher } from '../adapters/web/harvest/index.ts';
import type { PageFetcher, WebSearch } from '../adapters/web/port.ts';
import { type ChainOptions, createWebSearch } from '../adapters/web/search/chain.ts';
import { createSearxngSearch } from '../adapters/web/search/searxng.ts';
import { createTavilySearch } from '../adapters/web/search/tavily.ts';
import { webPorts } from '../domain/web/url-rules.ts';
import type { IndexConfig } from './open-index.ts';

export interface WebConfig {
  tavily: { apiKey: string; baseUrl: string | null } | null;
  searxng: { baseUrl: string } | null;
  /** `address:port` pairs of an intranet whose pages may be read though they are not public. */
  allowedAddresses: string[];
  /** File of the embedded evidence store. */
  evidenceFile: string;
  tenantsFile: string | null;
}

/** Tavily first, SearXNG when it is exhausted or down; whatever of the two is set up. */
export function openWebSearch({ tavily, searxng, allowedAddresses }: WebConfig, options: ChainOptions): WebSearch {
  const ports = portsOf(allowedAddresses);
  const searches = [
    ...(tavily === null
      ? []
      : [createTavilySearch({ apiKey: tavily.apiKey, baseUrl: tavily.baseUrl ?? undefined, ports })]),
    ...(searxng === null ? [] : [createSearxngSearch({ ...searxng, ports })]),
  ];
  return createWebSearch(searches, options);
}

export function openPages({ allowedAddresses }: WebConfig, parser: DocumentParser): PageFetcher {
  return createPageFetcher({ parser, allowedAddresses, ports: portsOf(allowedAddresses) });
}

/** Which an address may name: those of the web and, at the addresses of an intranet that may be read, their own. */
export function portsOf(allowedAddresses: readonly string[]): number[] {
  const own = allowedAddresses.map((pair) => Number(pair.slice(pair.lastIndexOf(':') + 1)));
  return [...new Set([...webPorts, ...own])];
}

/** Where the index is: pages of the web belong to the same installation. @throws EvidenceError */
export function openEvidence(index: IndexConfig, { evidenceFile }: WebConfig): Promise<EvidenceStore> {
  if (index.kind === 'embedded') return createEmbeddedEvidenceStore({ file: evidenceFile });
  const { url, apiKey, caPath, indexPrefix } = index;
  const access = { url, apiKey: apiKey ?? undefined, caPath: caPath ?? undefined };
  return createElasticsearchEvidenceStore({ ...access, indexPrefix });
}
