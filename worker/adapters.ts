import type { IndexPort } from '../adapters/index/port.ts';
import { createLocalEmbedding } from '../adapters/models/local/index.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import { createDocumentParser } from '../adapters/parsers/index.ts';
import type { DocumentParser, ParseLimits } from '../adapters/parsers/port.ts';
import { openIndex, type IndexConfig } from './open-index.ts';

/** What one document may cost to read: a bomb ends in seconds, a book of 5,000 pages does not. */
const parseLimits: ParseLimits = {
  maxBytes: 200 * 2 ** 20,
  maxUnpackedBytes: 200 * 2 ** 20,
  maxEntries: 10_000,
  maxPages: 5_000,
  timeoutMs: 120_000,
  maxMemoryMb: 512,
};

export interface AdapterConfig {
  index: IndexConfig;
  embeddingModel: { modelPath: string; tokenizerPath: string };
}

/** What the steps of a run use of the outside world. */
export interface Adapters {
  index: IndexPort;
  embedding: EmbeddingModel;
  parser: DocumentParser;
  close(): Promise<void>;
}

/** Opens what the steps need, in parallel; when one fails, the others are closed again. */
export async function openAdapters(config: AdapterConfig): Promise<Adapters> {
  const embedding = await createLocalEmbedding(config.embeddingModel);
  try {
    const index = await openIndex(config.index, embedding.dimensions);
    const parser = createDocumentParser(parseLimits);
    return {
      index,
      embedding,
      parser,
      close: async () => {
        await Promise.all([parser.close(), index.close(), embedding.close()]);
      },
    };
  } catch (error) {
    await embedding.close();
    throw error;
  }
}
