import type { Analysis, Aspect } from '../contracts/question.ts';
import { acronyms, holdsIdentifier } from '../text/identifiers.ts';
import { foldText } from '../text/normalise.ts';
import { isStopWord, words } from '../text/words.ts';

export interface RewriteInput {
  question: string;
  analysis: Analysis;
  missing: Aspect[];
  /** Titles and sections of the best passages so far: where the missing part may stand. */
  neighbours: string[];
  tried: string[];
}

/** Terms that a pasted text (a log) protects at most, of its questions; and codes of its other lines in a query, those nearest to its end. */
const ofPasted = { terms: 8, codesBeside: 4 };

/**
 * A search aimed at what is missing: identifiers, quoted spans, numbers and acronyms of the question first, then the content words of the missing
 * aspects, filled up to the least length with words of neighbouring titles. Of a pasted text its questions lead, and codes of its other lines follow
 * as far as there is room. Null when it would repeat a query already tried.
 */
export function rewriteQuery(input: RewriteInput, limits: { minWords: number; maxWords: number }): string | null {
  const { question, analysis } = input;
  const kept = protectedTerms(question, analysis);
  const aimed = (input.missing.length > 0 ? input.missing : analysis.aspects).flatMap((aspect) =>
    contentWords(aspect.text),
  );
  const beside = isPasted(question, analysis) ? analysis.identifiers.slice(-ofPasted.codesBeside) : [];
  const query = unique([...kept, ...aimed, ...beside]).slice(0, Math.max(limits.maxWords, kept.length));
  const text = filledUp(query, input.neighbours, limits.minWords).join(' ');
  return text === '' || alreadyTried(text, input.tried) ? null : text;
}

/** The words of a query with words of neighbouring titles behind them, up to the least number. */
export function filledUp(query: readonly string[], neighbours: readonly string[], minWords: number): string[] {
  const filled = [...query];
  for (const word of unique(neighbours.flatMap(contentWords))) {
    if (filled.length >= minWords) break;
    if (!filled.some((other) => foldText(other) === foldText(word))) filled.push(word);
  }
  return filled;
}

type Terms = Pick<Analysis, 'identifiers' | 'quoted' | 'aspects' | 'searchText'>;

/** What must survive every rewriting, exactly as written; of a pasted text, what stands in its questions. */
export function protectedTerms(question: string, analysis: Terms): string[] {
  if (!isPasted(question, analysis)) return termsOf(question, analysis);
  const asked = analysis.aspects.map(({ text }) => text).join('\n');
  const identifiers = analysis.identifiers.filter((identifier) => holdsIdentifier(asked, identifier));
  const quoted = analysis.quoted.filter((span) => asked.includes(span));
  return termsOf(asked, { identifiers, quoted }).slice(0, ofPasted.terms);
}

function termsOf(text: string, { identifiers, quoted }: Pick<Analysis, 'identifiers' | 'quoted'>): string[] {
  const numbers = text.match(/(?<![\p{L}\p{N}/_.-])\p{N}+(?:[.,:]\p{N}+)*(?:\s?%)?(?![\p{L}\p{N}/_-])/gu) ?? [];
  // The letters of INV-1042-AB are no terms of their own.
  const beside = identifiers.reduce((rest, identifier) => rest.replaceAll(identifier, ' '), text);
  return unique([...identifiers, ...quoted, ...acronyms(beside), ...numbers]);
}

/** Whether a text was too long to be searched as it is. */
function isPasted(question: string, { searchText }: Pick<Analysis, 'searchText'>): boolean {
  return question.trim() !== searchText;
}

/** Whether a query has the same words as one tried before, whatever their order. */
export function alreadyTried(query: string, tried: string[]): boolean {
  const key = keyOf(query);
  return tried.some((other) => keyOf(other) === key);
}

function keyOf(query: string): string {
  return [...new Set(words(query).filter((word) => !isStopWord(word)))].sort().join(' ');
}

function contentWords(text: string): string[] {
  return words(text).filter((word) => !isStopWord(word) && !/^[a-z]$/.test(word));
}

function unique(items: string[]): string[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = foldText(item);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
