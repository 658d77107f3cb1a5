import type { Citation } from '../domain/contracts/answer.ts';

/** Where a source that is no document of the corpus is found, and the day on which it was read or given; null for the corpus. */
export function sourceLine({ origin, uri, readAt }: Pick<Citation, 'origin' | 'uri' | 'readAt'>): string | null {
  if (origin === 'corpus') return null;
  const how = origin === 'web' ? 'read' : 'given by a reviewer';
  const when = readAt === null ? how : `${how} on ${readAt.slice(0, 10)}`;
  return uri === '' ? when : `${uri} (${when})`;
}
