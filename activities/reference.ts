import type { StoredPassage } from '../adapters/index/port.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import { shortened } from '../domain/text/shortened.ts';
import type { KeptOrigin } from './kept-passage-id.ts';

const snippetCharacters = 200;

/** What of a passage crosses activity boundaries. `readAt`: for what is not of the corpus, when it was read or taken in. */
export function reference(
  passage: Pick<StoredPassage, 'id' | 'documentId' | 'title' | 'uri' | 'section' | 'page' | 'start' | 'end' | 'text'>,
  score: number,
  kept: { readAt: string; origin: KeptOrigin } | null = null,
): EvidenceRef {
  return {
    id: passage.id,
    origin: kept?.origin ?? 'corpus',
    documentId: passage.documentId,
    title: passage.title,
    uri: passage.uri,
    section: passage.section,
    page: passage.page,
    start: passage.start,
    end: passage.end,
    score: Math.round(score * 1e6) / 1e6,
    readAt: kept?.readAt ?? null,
    snippet: shortened(passage.text, snippetCharacters),
  };
}
