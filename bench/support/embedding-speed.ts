import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { elapsed, median } from './statistics.ts';

const rounds = 5;
const vocabulary =
  'the permit holder must report each late return of a bicycle to the harbour office within three working days and pay fee deposit ' +
  'damage lamp chain museum garden turbine shutter valve pressure record invoice tenant clause notice between under after before';
const words = vocabulary.split(' ');
let made = 0;

/** A text that no earlier one equals, so that no cache helps. `length` in words. */
export function freshText(length: number): string {
  const seed = made++;
  return [...Array.from({ length }, (_, at) => words[(seed * 31 + at * at + 7 * at) % words.length]), seed].join(' ');
}

/** Texts of lengths spread evenly between two bounds, in words. */
export function freshTexts(count: number, [from, to]: [number, number]): string[] {
  return Array.from({ length: count }, (_, at) => freshText(from + Math.round(((to - from) * at) / count)));
}

/** What ingestion embeds in one call: passages of eight sentences of 8–24 words, and each sentence by itself. */
export function freshPassages(count: number): string[] {
  return Array.from({ length: count }, () => freshTexts(8, [8, 24])).flatMap((sentences) => [
    sentences.join('. '),
    ...sentences,
  ]);
}

/**
 * How many times as fast a batch is as as many texts of the same lengths, each awaited before the next; the median of five rounds, in which
 * both take turns.
 * @param make new texts at each call, always of the same lengths
 */
export async function batchRatio(model: EmbeddingModel, make: () => string[]): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const single = make();
    const batch = make();
    const oneByOne = await elapsed(async () => {
      for (const text of single) await model.embedPassages([text]);
    });
    ratios.push(oneByOne / (await elapsed(() => model.embedPassages(batch))));
  }
  return median(ratios);
}
