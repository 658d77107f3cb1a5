import type { StoredPassage } from '../adapters/index/port.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import { shortened } from '../domain/text/shortened.ts';

const snippetCharacters = 200;

/** What of a passage crosses activity boundaries. `readAt`: for a page of the web, when it was read. */
export function reference(
  passage: Pick<StoredPassage, 'id' | 'documentId' | 'title' | 'uri' | 'section' | 'page' | 'start' | 'end' | 'text'>,
  score: number,
  { readAt = null }: { readAt?: string | null } = {},
): EvidenceRef {
  return {
    id: passage.id,
    origin: readAt === null ? 'corpus' : 'web',
    documentId: passage.documentId,
    title: passage.title,
    uri: passage.uri,
    section: passage.section,
    page: passage.page,
    start: passage.start,
    end: passage.end,
    score: Math.round(score * 1e6) / 1e6,
    readAt,
    snippet: shortened(passage.text, snippetCharacters),
  };
}
