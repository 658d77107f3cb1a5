import type { ComparedPassage } from './port.ts';
import { bestCosine } from './strip-vectors.ts';

/** `packed`: the strips' vectors as stored (`packVectors`). */
export function comparedPassage(
  passageId: string,
  { vector, packed }: { vector: Float32Array; packed: Uint8Array },
  question: Float32Array,
): ComparedPassage {
  const bestStrip = bestCosine(packed, question) ?? vector.reduce((sum, value, at) => sum + value * question[at]!, 0);
  return { passageId, vector, bestStrip };
}
