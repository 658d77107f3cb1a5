import type { UnreadPages } from '../contracts/evidence.ts';
import type { PageSpan } from '../text/page-mentions.ts';

/** Why there is no answer to a question about these pages; null when it is about none. */
export function noAnswerOnPages(pages: PageSpan[], unread: UnreadPages | null): string | null {
  if (unread !== null) {
    const named = inWords(unread.pages);
    return `${named[0]?.toUpperCase()}${named.slice(1)} of “${unread.title}” gave no text when it was read: pictures of text are not read.`;
  }
  return pages.length === 0
    ? null
    : `Nothing on ${inWords(pages)} of the documents that you may read speaks to this question.`;
}

/** "page 3", "pages 2–5, 7, 9 and after". */
export function inWords(spans: PageSpan[]): string {
  const parts = spans.map(({ from, to }) =>
    to === null ? `${from} and after` : from === to ? `${from}` : `${from}–${to}`,
  );
  const distinct = [...new Set(parts)];
  return `${distinct.length === 1 && /^\d+$/.test(distinct[0] ?? '') ? 'page' : 'pages'} ${distinct.join(', ')}`;
}
