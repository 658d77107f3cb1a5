import type { EvidencePage, EvidencePassage } from '../../adapters/store/port.ts';
import type { Citation, Statement } from '../../domain/contracts/answer.ts';
import type { EvidenceRef } from '../../domain/contracts/evidence.ts';
import type { ReviewSource } from '../../domain/contracts/review.ts';
import type { GroundedAnswer, GroundedStatement } from '../../domain/review/answer-grounding.ts';
import { CitationList, type Citable } from '../../domain/rules/citation-list.ts';
import { detectLanguage } from '../../domain/text/language.ts';
import type { Span } from '../../domain/text/sentences.ts';
import { hashText } from '../ingestion/hash.ts';
import { keptPassageId } from '../kept-passage-id.ts';
import { reference } from '../reference.ts';
import { givenTextHash } from './given-text-hash.ts';

export interface CitingInput {
  tenant: string;
  source: ReviewSource;
  reviewer: string;
  authority: number;
  keepHours: number;
  /** ISO time at which it is taken in. */
  readAt: string;
}

/** A page with those of its passages that are cited. */
interface CitedPage {
  page: EvidencePage;
  passages: EvidencePassage[];
}

export interface CitedAnswer {
  statements: Statement[];
  citations: Citation[];
  evidence: EvidenceRef[];
  pages: CitedPage[];
}

/** The answer's statements with citations of its source, and of its own text where the reviewer is the source; and the pages to be kept of both. */
export function citeAnswer(grounded: GroundedAnswer, input: CitingInput): CitedAnswer {
  const pages = pagesOf(grounded, input);
  const list = new CitationList();
  const statements = grounded.statements.map((statement) => ({
    text: statement.text,
    citations: [...new Set(spansOf(statement, pages).map((citable) => list.cite(citable)))],
  }));
  const cited = (id: string) => list.all.filter(({ evidenceId }) => evidenceId === id).map(({ quote }) => quote);
  const kept = [pages.source, pages.answer].flatMap((page) => page ?? []);
  const used = kept.map(({ page, passages }) => ({
    page,
    passages: passages.filter(({ id }) => cited(id).length > 0),
  }));
  const evidence = used.flatMap(({ page: { title, url }, passages }) =>
    passages.map((passage) => {
      const shown = { ...passage, title, uri: url, text: cited(passage.id).join(' … ') };
      return reference(shown, 1, { readAt: input.readAt, origin: 'reviewer' });
    }),
  );
  return { statements, citations: list.all, evidence, pages: used };
}

interface Pages {
  source: CitedPage | null;
  answer: CitedPage | null;
}

function pagesOf({ answer, source, statements }: GroundedAnswer, input: CitingInput): Pages {
  const restsOnItself = statements.some(({ support }) => support === 'itself');
  const { title, uri } = input.source;
  const own = source === null ? { title, uri } : { title: `Answer of ${input.reviewer}`, uri: '' };
  const whole = { start: answer.parts[0]?.start ?? 0, end: answer.parts.at(-1)?.end ?? 0, parts: answer.parts };
  return {
    source: source === null ? null : pageOf({ title, uri, text: source.text }, source.passages, input),
    answer: restsOnItself ? pageOf({ ...own, text: answer.text }, [whole], input) : null,
  };
}

type Stretch = Span & { parts: (Span & { kind: 'sentence' | 'item' })[] };

function pageOf(
  { title, uri, text }: { title: string; uri: string; text: string },
  stretches: readonly Stretch[],
  { tenant, authority, keepHours, readAt }: CitingInput,
): CitedPage {
  const id = givenTextHash({ uri, title, text });
  const language = detectLanguage(text);
  const page = {
    tenant,
    id,
    url: uri,
    title,
    text,
    language: language === 'und' ? null : language,
    publishedAt: null,
    fetchedAt: readAt,
    expiresAt: new Date(Date.parse(readAt) + keepHours * 3_600_000).toISOString(),
    authority,
  };
  const passages = stretches.map(({ start, end, parts }, ordinal) => ({
    id: keptPassageId(`p_${hashText([tenant, id, start, end].join('\n')).slice(0, 20)}`, 'reviewer'),
    documentId: id,
    version: id,
    ordinal,
    start,
    end,
    text: text.slice(start, end),
    context: title,
    section: '',
    page: null,
    strips: parts.map((part) => ({ start: part.start, end: part.end, kind: part.kind, header: null })),
    // Nothing is searched for in them: the answer is there.
    vector: null,
    stripVectors: null,
  }));
  return { page, passages };
}

function spansOf({ support, part }: GroundedStatement, { source, answer }: Pages): Citable[] {
  if (support === 'itself') return answer === null ? [] : [citable(answer, part)];
  return source === null ? [] : support.map((span) => citable(source, span));
}

/** @throws RangeError when no passage of the page holds the span */
function citable({ page, passages }: CitedPage, { start, end }: Span): Citable {
  const passage = passages.find((one) => one.start <= start && end <= one.end);
  if (!passage) throw new RangeError(`no passage holds the span ${start}–${end}`);
  const { title, url: uri, fetchedAt: readAt } = page;
  const source = { origin: 'reviewer' as const, title, uri, section: '', page: null, readAt };
  return { evidenceId: passage.id, documentId: page.id, start, end, text: page.text.slice(start, end), source };
}
