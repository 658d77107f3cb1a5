/** Whose vectors an index holds that does not say so: it is older than the choice of models. */
export const firstEmbeddingModel = 'local/e5-small-v2';

export interface VectorOrigin {
  model: string;
  dimensions: number;
}

/** Why vectors of `wanted` cannot go into an index that holds those of `found`; null where they can. */
export function otherOrigin(found: VectorOrigin, wanted: VectorOrigin): string | null {
  if (found.model === wanted.model && found.dimensions === wanted.dimensions) return null;
  return (
    `holds vectors of ${named(found)}, which cannot be compared with those of ${named(wanted)}: ` +
    'set PLUMBLINE_EMBEDDING to the first, or take the documents in again into another index'
  );
}

function named({ model, dimensions }: VectorOrigin): string {
  return `${model} (${dimensions} dimensions)`;
}
