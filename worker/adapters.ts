import { createEmbeddedIndex } from '../adapters/index/embedded/index.ts';
import type { IndexPort } from '../adapters/index/port.ts';
import { createLocalEmbedding } from '../adapters/models/local/index.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';

export interface AdapterConfig {
  index: { kind: 'embedded'; file: string };
  embeddingModel: { modelPath: string; tokenizerPath: string };
}

export interface Adapters {
  index: IndexPort;
  embedding: EmbeddingModel;
  close(): Promise<void>;
}

/** Opens what the steps need, in parallel; when one fails, the others are closed again. */
export async function openAdapters(config: AdapterConfig): Promise<Adapters> {
  const embedding = await createLocalEmbedding(config.embeddingModel);
  try {
    const index = await openIndex(config.index, embedding.dimensions);
    return {
      index,
      embedding,
      close: async () => {
        await Promise.all([index.close(), embedding.close()]);
      },
    };
  } catch (error) {
    await embedding.close();
    throw error;
  }
}

function openIndex(config: AdapterConfig['index'], dimensions: number): Promise<IndexPort> {
  return createEmbeddedIndex({ file: config.file, dimensions });
}
