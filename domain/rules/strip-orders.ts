import type { Strip } from '../contracts/document.ts';
import { areOrders } from '../untrusted/orders.ts';

/** Which strips of a passage give orders to their reader: they are neither graded nor quoted. */
export function stripOrders({
  text,
  start,
  strips,
}: {
  text: string;
  start: number;
  strips: readonly Strip[];
}): boolean[] {
  const texts = strips.map(
    (strip) => `${strip.header?.text ?? ''} ${text.slice(strip.start - start, strip.end - start)}`,
  );
  return areOrders(texts, 'own');
}
