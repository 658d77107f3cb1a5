import { Client } from '@elastic/elasticsearch';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createElasticsearchIndex } from '../../adapters/index/elasticsearch/index.ts';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { startElasticsearch } from '../../test/elasticsearch/start-elasticsearch.ts';

/** Empty indices of one kind, for as long as a benchmark lasts. */
export interface IndexHouse {
  kind: IndexPort['kind'];
  open(name: string): Promise<IndexPort>;
  /** The search that any client could send: two plain legs with the tenant as their filter. Null where there is no such thing. */
  bareSearch:
    ((name: string, query: { text: string; vector: Float32Array; candidates: number }) => Promise<void>) | null;
  close(): Promise<void>;
}

export async function embeddedHouse(dimensions: number): Promise<IndexHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
  return {
    kind: 'embedded',
    open: (name) => createEmbeddedIndex({ file: join(folder, `${name}.db`), dimensions }),
    bareSearch: null,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @throws Error that says what is missing, where no Elasticsearch can be started */
export async function elasticsearchHouse(dimensions: number): Promise<IndexHouse> {
  const server = await startElasticsearch({ heap: '1g', lasting: true });
  const client = new Client({ node: server.url, maxRetries: 0 });
  return {
    kind: 'elasticsearch',
    open: (name) =>
      createElasticsearchIndex({ url: server.url, indexPrefix: name, dimensions, requestTimeoutMs: 10_000 }),
    bareSearch: async (name, query) => bareSearch(client, name, query),
    close: async () => {
      await client.close();
      await server.stop();
    },
  };
}

async function bareSearch(
  client: Client,
  name: string,
  { text, vector, candidates }: { text: string; vector: Float32Array; candidates: number },
): Promise<void> {
  const filter = { term: { tenant: 'bench' } };
  const shown = { size: candidates, _source: false, docvalue_fields: ['passageId', 'documentId'] };
  const query = { bool: { filter, must: { multi_match: { query: text, fields: ['body', 'context'] } } } };
  const knn = {
    field: 'embedding',
    query_vector: Array.from(vector),
    k: candidates,
    num_candidates: Math.max(200, 2 * candidates),
    filter,
  };
  const header = { index: `${name}-passages` };
  const { responses } = await client.msearch({ searches: [header, { query, ...shown }, header, { knn, ...shown }] });
  for (const response of responses) {
    if ('error' in response) throw new Error(`bare msearch: ${response.error.type}`);
  }
}
