import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { EmbeddingModel } from '../port.ts';
import { dimensions, modelId, textTokensPerWindow } from './e5.ts';
import { EmbeddingPool } from './embedding-pool.ts';
import { EmbeddingThread } from './embedding-thread.ts';
import { locateModelFiles } from './model-files.ts';
import type { ModelLocation } from './model-files.ts';
import { loadTokenizer } from './tokenizer.ts';

export type LocalEmbeddingOptions = ModelLocation & {
  /** Worker threads at most, each about 110 MB while it lives; the lesser of 3 and the cores by default. */
  threads?: number;
};

/**
 * e5-small-v2 (int8 ONNX): 384 dimensions, mean pooling, unit length. Texts are embedded on worker threads. The vector of a question or of a text of
 * more than 64 tokens depends on that text alone, bit for bit; that of a shorter passage also on the other short ones of the same call (a cosine
 * moves by 0.002 in the median and 0.01 in one case of a hundred), whatever their order and the number of threads.
 *
 * `countTokens` counts the text itself, without prefix and special tokens; up to `maxTokens` (508) a text is embedded in one
 * window. A longer text is not cut: its vector is the mean of its windows' vectors weighted by their tokens.
 * @throws ModelError `not_installed` when a file is missing, `bad_model` when one is damaged.
 */
export async function createLocalEmbedding(options: LocalEmbeddingOptions): Promise<EmbeddingModel> {
  const files = await locateModelFiles(options);
  const tokenizer = await loadTokenizer(files.tokenizerPath);
  const start = () => EmbeddingThread.start(files);
  const threads = options.threads ?? Math.min(3, availableParallelism());
  const pool = new EmbeddingPool(await start(), { start, threads });
  const queries = new LRUCache<string, Float32Array>({ max: 1000 });

  return {
    id: modelId,
    dimensions,
    maxTokens: textTokensPerWindow,

    async embedQuery(text, signal) {
      signal?.throwIfAborted();
      const known = queries.get(text);
      if (known !== undefined) return known.slice();
      const [vector] = await pool.embed('query', [text], signal);
      if (vector === undefined) throw new RangeError('no vector for the query');
      queries.set(text, vector);
      return vector.slice();
    },

    async embedPassages(texts, signal) {
      const different = [...new Set(texts)];
      const vectors = await pool.embed('passage', different, signal);
      const byText = new Map(different.map((text, at) => [text, vectors[at]]));
      return texts.map((text) => {
        const vector = byText.get(text);
        if (vector === undefined) throw new RangeError('no vector for a passage');
        return vector.slice();
      });
    },

    countTokens: (text) => tokenizer.encode(text).ids.length,
    close: () => pool.close(),
  };
}
