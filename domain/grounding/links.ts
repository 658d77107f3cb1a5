import { addressesIn, embeddedIn } from '../text/links.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, type Finding } from './rule.ts';

/**
 * A link, an e-mail address, an image or a tag stands in an answer only where the sentences quoted from have it: one that is made up, or made by a
 * hidden instruction, would carry the reader or the reader's words elsewhere.
 */
export function checkLinks(statement: Reading, premise: Premise): Finding | null {
  const source = [premise.quoted.text, ...premise.quotes.map(({ text }) => text)].join('\n');
  const known = new Set(addressesIn(source));
  const address = addressesIn(statement.text).find((one) => !known.has(one));
  // Reasons reach readers too, so that they do not repeat it.
  if (address !== undefined) return fails('an address in it is not in the source');
  const marks = new Set(embeddedIn(source));
  const mark = embeddedIn(statement.text).find((one) => !marks.has(one));
  return mark === undefined ? null : fails('an image or a tag in it is not in the source');
}
