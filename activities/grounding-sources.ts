import type { StoredPassage } from '../adapters/index/port.ts';
import type { GroundingSource } from '../domain/grounding/premise.ts';

/** Passages as the grounding rules want them, by id: with what stands above them and the headers of their tables. */
export function groundingSources(passages: readonly StoredPassage[]): Map<string, GroundingSource> {
  return new Map(
    passages.map(({ id, text, start, context, strips }) => {
      const headers = new Set(strips.flatMap((strip) => strip.header?.text ?? []));
      return [id, { text, start, context: `${context}\n${[...headers].join('\n')}` }];
    }),
  );
}
