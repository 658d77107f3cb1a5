import { createElasticsearchIndex } from '../adapters/index/elasticsearch/index.ts';
import { createEmbeddedIndex } from '../adapters/index/embedded/index.ts';
import type { IndexPort } from '../adapters/index/port.ts';

export type IndexConfig =
  | { kind: 'embedded'; file: string }
  | { kind: 'elasticsearch'; url: string; apiKey: string | null; caPath: string | null };

/** Opens the index of the config for vectors of that length. @throws IndexError */
export function openIndex(config: IndexConfig, dimensions: number): Promise<IndexPort> {
  switch (config.kind) {
    case 'embedded':
      return createEmbeddedIndex({ file: config.file, dimensions });
    case 'elasticsearch': {
      const { url, apiKey, caPath } = config;
      return createElasticsearchIndex({ url, apiKey: apiKey ?? undefined, caPath: caPath ?? undefined, dimensions });
    }
  }
}
