import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { UnreadPages } from '../domain/contracts/evidence.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import { onPages, pageSpans } from '../domain/rules/pages.ts';
import { contentStems } from '../domain/text/words.ts';

/**
 * Whether a page that is asked about gave no text when its document was read. Looks at one document: of those with pages, the one whose title has
 * most words of the question, since a gap in another one says nothing. Undefined when there is no gap.
 */
export async function unreadPages(
  index: Pick<IndexPort, 'document'>,
  access: Access,
  { passages, analysis }: { passages: StoredPassage[]; analysis: Analysis },
): Promise<UnreadPages | undefined> {
  if (analysis.pages.length === 0) return undefined;
  const asked = new Set(contentStems(analysis.searchText));
  const shared = ({ title }: StoredPassage) => contentStems(title).filter((stem) => asked.has(stem)).length;
  const [likely] = passages.filter(({ page }) => page !== null).sort((a, b) => shared(b) - shared(a));
  const document = likely ? await index.document(access, likely.documentId) : null;
  const pages = (document?.pagesWithoutText ?? []).filter((page) => onPages(analysis.pages, page));
  if (document === null || pages.length === 0) return undefined;
  return { documentId: document.documentId, title: document.metadata.title, pages: pageSpans(pages) };
}
