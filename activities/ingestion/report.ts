import type { DocumentReport } from '../../domain/contracts/ingestion.ts';
import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import type { ListedFile } from './manifest.ts';

/** A report goes through the run's history: its warnings are kept short there; all of them are stored with the document. */
const shownWarnings = 20;
const shownCharacters = 300;
const shownPages = 1000;

export function emptyReport(file: ListedFile): Omit<DocumentReport, 'ms'> {
  return {
    documentId: '',
    name: file.name.slice(0, shownCharacters),
    state: 'failed',
    code: null,
    message: null,
    warnings: [],
    pages: null,
    pagesWithoutText: [],
    passages: 0,
    bytes: 0,
  };
}

interface Findings {
  all: string[];
  shown: string[];
  pagesWithoutText: number[];
}

/** What people should know about a document that was read. */
export function parseFindings({ warnings }: ParsedDocument, further: string[]): Findings {
  const all = [...warnings.map(({ message }) => message), ...further];
  const pages = warnings.filter(({ code }) => code === 'no_text_on_page').flatMap((warning) => warning.pages ?? []);
  const shown = all
    .slice(0, shownWarnings)
    .map((message) => (message.length > shownCharacters ? `${message.slice(0, shownCharacters)}…` : message));
  if (all.length > shownWarnings)
    shown.push(`${all.length - shownWarnings} further warnings are stored with the document`);
  return { all, shown, pagesWithoutText: pages.slice(0, shownPages) };
}
