import { createLocalEmbedding } from '../../adapters/models/local/index.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { ensureEmbeddingModel } from '../../launcher/embedding-model.ts';
import type { Settings } from '../../launcher/settings.ts';

/** The embedding model that an embedded Plumbline uses, found or fetched as it does. */
export async function openLocalModel(settings: Settings): Promise<EmbeddingModel> {
  const { modelPath, tokenizerPath } = await ensureEmbeddingModel(settings);
  return createLocalEmbedding({ modelPath, tokenizerPath });
}
