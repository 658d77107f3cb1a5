import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createSearchWeb, type SearchWebInput, type SearchWebOutput } from '../../activities/search-web.ts';
import type { StoredPassage } from '../../adapters/index/port.ts';
import { createEmbeddedEvidenceStore } from '../../adapters/store/evidence/embedded/index.ts';

import { createTenantRules } from '../../adapters/store/tenant-rules/file.ts';
import { createPageFetcher } from '../../adapters/web/harvest/index.ts';
import { createWebSearch } from '../../adapters/web/search/chain.ts';
import { createWebResultCache } from '../../adapters/web/search/result-cache.ts';
import { createSearxngSearch } from '../../adapters/web/search/searxng.ts';
import { createTavilySearch } from '../../adapters/web/search/tavily.ts';
import type { WebPolicy } from '../../domain/contracts/web-policy.ts';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { fakeEmbedding } from '../ingestion/fake-embedding.ts';
import { defaultPolicy } from '../support/question-runs.ts';
import { oneParser } from '../web/support/page-fetching.ts';
import { startWebServer, type Handler, type SeenRequest } from '../web/support/web-server.ts';
import { access, stored } from './model-steps.ts';

/** A hit as both protocols know it. */
export interface Hit {
  url: string;
  title?: string;
  content?: string | null;
  raw_content?: string | null;
}

/** The step against real HTTP servers (one that speaks Tavily's and SearXNG's protocols, one with pages), a real parser and a real evidence store. */
export async function openWebHouse({ timeoutMs = 2_700 }: { timeoutMs?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-web-house-'));
  const tenantsFile = join(folder, 'tenants.json');
  const notThere: Handler = (_, response) => void response.writeHead(404).end();
  let [onTavily, onSearxng, onPage] = [notThere, notThere, notThere];
  const server = await startWebServer((request, response) =>
    (request.method === 'POST' ? onTavily : onSearxng)(request, response),
  );
  const pageServer = await startWebServer((request, response) => onPage(request, response));
  const allowedAddresses = [`127.0.0.1:${pageServer.port}`];
  const ports = [80, 443, pageServer.port];
  const parser = oneParser();
  const pages = createPageFetcher({ parser, allowedAddresses, ports });
  const evidence = await createEmbeddedEvidenceStore({ file: join(folder, 'evidence.db') });
  const corpus: StoredPassage[] = [];
  const searches = () =>
    createWebSearch([
      createTavilySearch({ apiKey: 'key', baseUrl: server.url, ports, timeoutMs }),
      createSearxngSearch({ baseUrl: server.url, ports, timeoutMs }),
    ]);
  const deps = {
    index: {
      passages: (_: unknown, ids: string[]) =>
        Promise.resolve(ids.flatMap((id) => corpus.filter((passage) => passage.id === id))),
    },
    embedding: fakeEmbedding(),
    webSearch: searches(),
    webCache: createWebResultCache(),
    pages,
    evidence: evidence,
    tenantRules: createTenantRules(tenantsFile),
  };
  const reset = async () => {
    server.requests.length = 0;
    pageServer.requests.length = 0;
    corpus.length = 0;
    [onTavily, onSearxng, onPage] = [notThere, notThere, notThere];
    Object.assign(deps, { webSearch: searches(), webCache: createWebResultCache(), evidence });
    await writeFile(tenantsFile, '{}');
  };
  await reset();

  const inputFor = (question: string, own: Partial<SearchWebInput>, web: Partial<WebPolicy>): SearchWebInput => {
    const { searchText, identifiers } = analyseQuestion(question);
    return {
      access,
      question: searchText,
      query: searchText,
      identifiers,
      corpusPassages: corpus.map(({ id }) => id),
      web: { ...defaultPolicy.web, mode: 'allowed', cacheMinutes: 0, ...web },
      nearDuplicate: defaultPolicy.retrieval.nearDuplicate,
      k: 8,
      permitted: false,
      ...own,
    };
  };
  return {
    deps,
    pageUrl: pageServer.url,
    reset,
    tavily: (handler: Handler) => (onTavily = handler),
    searxng: (handler: Handler) => (onSearxng = handler),
    page: (handler: Handler) => (onPage = handler),
    tenants: (rules: object) => writeFile(tenantsFile, JSON.stringify(rules)),
    tenantsText: (text: string) => writeFile(tenantsFile, text),
    /** Puts a passage into the corpus, of a document open to all or to some groups. */
    async corpus(id: string, lines: string[], groups: string[] = []) {
      const passage = await stored(id, lines);
      corpus.push({ ...passage, metadata: { ...passage.metadata, groups } });
    },
    /** All that was sent to a search engine, in order. */
    queries: (): string[] => server.requests.map(queryOf),
    requests: server.requests,
    pageRequests: pageServer.requests,
    ask(
      question: string,
      {
        web = {},
        attempt,
        ...own
      }: Partial<Omit<SearchWebInput, 'web'>> & { web?: Partial<WebPolicy>; attempt?: Attempt } = {},
    ): Promise<SearchWebOutput> {
      const environment = new MockActivityEnvironment(
        { startToCloseTimeoutMs: 60_000, ...attempt },
        { logger: new DefaultLogger('ERROR') },
      );
      return environment.run(createSearchWeb(deps), inputFor(question, own, web));
    },
    async close() {
      await pages.close();
      await evidence.close();
      await Promise.all([server.close(), pageServer.close(), parser.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type WebHouse = Awaited<ReturnType<typeof openWebHouse>>;

/** What Temporal tells an activity of its attempts. */
export interface Attempt {
  attempt: number;
  heartbeatDetails?: unknown;
}

export function queryOf({ method, path, body }: SeenRequest): string {
  if (method === 'POST') return (JSON.parse(body) as { query: string }).query;
  return new URL(path, 'http://search').searchParams.get('q') ?? '';
}
