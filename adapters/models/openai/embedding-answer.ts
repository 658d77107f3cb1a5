import { z } from 'zod';

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.union([z.string(), z.array(z.number())]) })),
});

/**
 * The vectors of an answer in the order of the texts, whichever order and encoding (numbers, or base64 of little-endian 32-bit floats) the
 * server chose.
 * @throws SyntaxError where it is no answer for so many texts
 */
export function vectorsOf(answer: unknown, texts: number): Float32Array[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new SyntaxError('an answer without vectors');
  const byIndex = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
  if (byIndex.size !== texts || parsed.data.data.length !== texts)
    throw new SyntaxError(`${byIndex.size} vectors for ${texts} texts`);
  return Array.from({ length: texts }, (_, index) => {
    const embedding = byIndex.get(index);
    if (embedding === undefined) throw new SyntaxError(`no vector for text ${index}`);
    return typeof embedding === 'string' ? decoded(embedding) : Float32Array.from(embedding);
  });
}

function decoded(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  if (bytes.length % 4 !== 0) throw new SyntaxError('a vector that is cut off');
  return new Float32Array(bytes.buffer);
}
