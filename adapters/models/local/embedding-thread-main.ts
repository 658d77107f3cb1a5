import { dimensions } from './e5.ts';
import type { Role } from './e5.ts';
import { loadEncoder } from './encoder.ts';
import type { ModelFiles } from './model-files.ts';
import { serveModel } from './model-thread-main.ts';

export type EmbeddingRequest = { role: Role; texts: string[] };
/** The vectors of all texts, one after the other. */
export type EmbeddingValue = Float32Array<ArrayBuffer>;

serveModel<ModelFiles, EmbeddingRequest, EmbeddingValue>({
  model: 'The embedding model',
  doing: 'embedding a text',
  load: async (files, guard) => {
    const encoder = await loadEncoder(files, guard);
    return {
      answer: async ({ role, texts }) => {
        const value = new Float32Array(texts.length * dimensions);
        for (const [index, vector] of (await encoder.embed(role, texts)).entries())
          value.set(vector, index * dimensions);
        return { value, transfer: [value.buffer] };
      },
      close: () => encoder.close(),
    };
  },
});
