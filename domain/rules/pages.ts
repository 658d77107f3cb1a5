import type { Analysis, Aspect } from '../contracts/question.ts';
import { pageMentions } from '../text/page-mentions.ts';
import type { PageSpan } from '../text/page-mentions.ts';
import { contentStems } from '../text/words.ts';
import { inWords } from './page-words.ts';

type Asked = Pick<Analysis, 'aspects' | 'pages'>;

/** The pages that an aspect is about. */
export interface PagesAsked {
  spans: PageSpan[];
  /** Stems of the words that name them: true of whatever stands there, though its text does not say so. */
  terms: string[];
}

/**
 * The pages that an aspect names; the question's, when it leans on another clause or when no clause names any itself ("I am on page 3. What is the
 * fee?"). Null: it is about no page.
 */
export function pagesAsked(aspect: Aspect, question: Asked): PagesAsked | null {
  const own = named(aspect);
  if (own.spans.length > 0) return own;
  const shared = aspect.subject !== null || question.aspects.every((other) => named(other).spans.length === 0);
  return shared && question.pages.length > 0 ? { spans: question.pages, terms: [] } : null;
}

function named(aspect: Aspect): PagesAsked {
  // A borrowed subject is a heap of stems, not something that was said.
  const text = aspect.subject === null ? aspect.text : aspect.text.slice(0, -` (${aspect.subject})`.length);
  const mentions = pageMentions(text);
  return {
    spans: mentions.flatMap(({ spans }) => spans),
    terms: mentions.flatMap(({ start, end }) => contentStems(text.slice(start, end))),
  };
}

/** Whether a passage may speak to an aspect: it stands on a page that is asked about, none is asked about, or its document has no pages. */
export function mayAnswer(asked: PagesAsked | null, page: number | null): boolean {
  return asked === null || page === null || onPages(asked.spans, page);
}

/** Stems of an aspect that are true of a passage because of its page. */
export function termsGiven(asked: PagesAsked | null, page: number | null): ReadonlySet<string> {
  return new Set(asked === null || page === null || !onPages(asked.spans, page) ? [] : asked.terms);
}

export function onPages(spans: PageSpan[], page: number): boolean {
  return spans.some(({ from, to }) => page >= from && (to === null || page <= to));
}

/** In order, but those that stand on other pages than the named ones after the rest. */
export function otherPagesLast<P extends { page: number | null }>(passages: P[], spans: PageSpan[]): P[] {
  if (spans.length === 0) return passages;
  const elsewhere = ({ page }: P) => page !== null && !onPages(spans, page);
  return [...passages.filter((passage) => !elsewhere(passage)), ...passages.filter(elsewhere)];
}

/** Why no aspect may be answered from this page; null when one may. */
export function otherPage(question: Asked, page: number | null): string | null {
  const asked = question.aspects.map((aspect) => pagesAsked(aspect, question));
  if (page === null || asked.some((each) => mayAnswer(each, page))) return null;
  return `on page ${page}; the question is about ${inWords(asked.flatMap((each) => each?.spans ?? []))}`;
}

/** Sorted pages as spans, neighbours joined. */
export function pageSpans(pages: number[]): PageSpan[] {
  const spans: { from: number; to: number }[] = [];
  for (const page of pages) {
    const last = spans.at(-1);
    if (last?.to === page - 1) last.to = page;
    else spans.push({ from: page, to: page });
  }
  return spans;
}
