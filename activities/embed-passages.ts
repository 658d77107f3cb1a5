import type { EmbeddedPassage } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Passage, Strip } from '../domain/contracts/document.ts';

/** Passages with their vectors and those of their strips. Each different text is embedded once: overlapping passages share strips. */
export async function embedPassages(
  passages: Passage[],
  embedding: EmbeddingModel,
  signal: AbortSignal,
): Promise<EmbeddedPassage[]> {
  const inputs = passages.map((passage) => ({
    passage: passageInput(passage),
    strips: passage.strips.map((strip) => stripInput(strip, passage)),
  }));
  const texts = [...new Set(inputs.flatMap(({ passage, strips }) => [passage, ...strips]))];
  const vectors = await embedding.embedPassages(texts, signal);
  const byText = new Map(texts.map((input, n) => [input, vectors[n]]));
  const vectorOf = (input: string): Float32Array => {
    const vector = byText.get(input);
    if (vector === undefined)
      throw new RangeError(`the model gave ${vectors.length} vectors for ${texts.length} texts`);
    return vector;
  };
  return passages.map((passage, n) => ({
    ...passage,
    vector: vectorOf(inputs[n]?.passage ?? ''),
    stripVectors: (inputs[n]?.strips ?? []).map(vectorOf),
  }));
}

function passageInput({ context, text }: Passage): string {
  return context === '' ? text : `${context}\n${text}`;
}

/** A row means little without the names of its columns. */
function stripInput({ start, end, header }: Strip, passage: Passage): string {
  const own = passage.text.slice(start - passage.start, end - passage.start);
  return header === null ? own : `${header.text}\n${own}`;
}
