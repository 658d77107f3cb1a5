import { hashText } from '../ingestion/hash.ts';

/**
 * What a reviewer gave, by its content: the same text under the same title and address is one page of the evidence store. Never that of a page that a
 * search has read: it weighs what its origin weighs.
 */
export function givenTextHash({ uri, title, text }: { uri: string; title: string; text: string }): string {
  return hashText(JSON.stringify(['reviewer', uri, title, text]));
}
