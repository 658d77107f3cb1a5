import { createElasticsearchIndex } from '../adapters/index/elasticsearch/index.ts';
import { createEmbeddedIndex } from '../adapters/index/embedded/index.ts';
import type { IndexPort } from '../adapters/index/port.ts';
import type { VectorSpace } from '../adapters/models/embedding-choice.ts';

export type IndexConfig =
  | { kind: 'embedded'; file: string }
  | { kind: 'elasticsearch'; url: string; apiKey: string | null; caPath: string | null; indexPrefix: string };

/** Opens the index of the config for vectors of that model. @throws IndexError, also where it holds those of another */
export function openIndex(config: IndexConfig, vectors: VectorSpace): Promise<IndexPort> {
  switch (config.kind) {
    case 'embedded':
      return createEmbeddedIndex({ file: config.file, ...vectors });
    case 'elasticsearch': {
      const { url, apiKey, caPath, indexPrefix } = config;
      const access = { url, apiKey: apiKey ?? undefined, caPath: caPath ?? undefined };
      return createElasticsearchIndex({ ...access, indexPrefix, ...vectors });
    }
  }
}
