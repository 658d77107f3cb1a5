import type { Grounding } from '../contracts/answer.ts';
import { checkBeforeModel, checkGrounding, wordForWord } from '../grounding/check-grounding.ts';
import type { GroundingSource } from '../grounding/premise.ts';
import { supportScore } from '../grounding/support-score.ts';
import { stemSet } from '../rules/relevance.ts';
import type { Span } from '../text/sentences.ts';
import type { SourcePart, SourcePassage } from './source-passages.ts';
import { unsaidBy } from './unsaid-by.ts';

/** What a statement rests on, and what the rules say of it. */
export interface Supported {
  parts: SourcePart[];
  /** Of these, what is to be cited. */
  spans: SupportingSpan[];
  judgement: Grounding['statements'][number];
}

export interface SupportingSpan extends Span {
  passage: SourcePassage;
}

interface Candidate {
  part: SourcePart;
  /** Stems that it shares with the statement. */
  shared: ReadonlySet<string>;
}

/** So many sentences with most of a statement's words are looked at, and so many cited at most. */
const looked = 5;
const cited = 3;

const nothingToCite: Supported = {
  parts: [],
  spans: [],
  judgement: { supported: false, reason: 'the source holds no text' },
};

/**
 * The sentences of a source that support a statement best, word for word: the first one that supports it alone by the rules, else the fewest together;
 * where none do, those that come nearest. Empty where the source holds no text.
 */
export function supportingSpans(statement: string, passages: readonly SourcePassage[]): Supported {
  const candidates = nearest(statement, passages);
  let nearestAlone: Supported | null = null;
  for (const one of candidates) {
    const alone = tried(statement, [one]);
    if (alone.judgement.supported) return alone;
    nearestAlone ??= alone;
  }
  const all = together(statement, candidates);
  return all?.judgement.supported ? all : (nearestAlone ?? nothingToCite);
}

/** Sentences taken together, each of which adds to the statement's words; null where none adds to the nearest. */
function together(statement: string, candidates: readonly Candidate[]): Supported | null {
  let taken = candidates.filter(({ part }) => !leads(part)).slice(0, 1);
  let result: Supported | null = null;
  while (taken.length > 0 && taken.length < cited && !result?.judgement.supported) {
    const adding = candidates.filter((one) => addsTo(taken, one));
    const [next] = byScore(adding, (one) => score(statement, [...taken, one]));
    if (!next) break;
    taken = [...taken, next];
    result = tried(statement, taken);
  }
  return result;
}

/** A figure alone, from elsewhere, would make a statement of what was never said together; from the next sentence, it may be of the same. */
function addsTo(taken: readonly Candidate[], { part, shared }: Candidate): boolean {
  if (leads(part)) return false;
  const held = new Set(taken.flatMap((one) => [...one.shared]));
  const added = [...shared.difference(held)];
  const { parts } = part.passage;
  const before = parts[parts.indexOf(part) - 1];
  return added.some((stem) => /\p{L}/u.test(stem)) || (added.length > 0 && taken.some((one) => one.part === before));
}

/** What leads to a list speaks of its items only, and is quoted with them. */
function leads({ text }: SourcePart): boolean {
  return text.endsWith(':');
}

/** Those with most of the statement's stems, ordered by what the rules take for support; the first of all where none has any. */
function nearest(statement: string, passages: readonly SourcePassage[]): Candidate[] {
  const stems = stemSet(statement);
  const all = passages.flatMap(({ parts }) => parts.map((part) => ({ part, shared: stems.intersection(part.stems) })));
  const near = byScore(all, ({ shared }) => shared.size).slice(0, looked);
  const sharing = near.filter(({ shared }) => shared.size > 0);
  return sharing.length === 0 ? near.slice(0, 1) : byScore(sharing, (one) => score(statement, [one]));
}

/** Best first; equal ones stay in their order. */
function byScore<T>(items: readonly T[], scoreOf: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, score: scoreOf(item) }))
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

function score(statement: string, taken: readonly Candidate[]): number {
  return supportScore(statement, taken.map(({ part }) => wholeText(part)).join('\n'));
}

function tried(statement: string, taken: readonly Candidate[]): Supported {
  const parts = taken.map(({ part }) => part);
  const { statements } = checkGrounding(...asEvidence(statement, parts));
  const judgement = statements[0] ?? { supported: false, reason: 'not checked' };
  const objection = judgement.supported && judgement.reason !== wordForWord ? unsaidBy(statement, parts) : null;
  return {
    parts,
    spans: citedSpans(parts),
    judgement: objection === null ? judgement : { supported: false, reason: objection },
  };
}

/** Why a statement contradicts what supports a part of it, if it does: what the rules object to whoever judges, other words aside. */
export function contradiction(statement: string, { parts }: Supported): string | null {
  const [verdict] = checkBeforeModel(...asEvidence(statement, parts));
  return verdict?.verdict === 'refused' ? verdict.reason : null;
}

/** The statement with quotes of the parts, as the grounding rules take them. A list item is held against as one sentence with what leads to it. */
function asEvidence(statement: string, parts: readonly SourcePart[]): Parameters<typeof checkGrounding> {
  const sources = new Map<string, GroundingSource>();
  const citations = parts.map((part, n) => {
    const evidenceId = String(n);
    const quote = wholeText(part);
    const start = part.leadIn === null ? part.wordsFrom : 0;
    sources.set(evidenceId, part.leadIn === null ? part.passage : { text: quote, start: 0, context: '' });
    return { n: n + 1, evidenceId, quote, start, end: start + quote.length };
  });
  return [[{ text: statement, citations: citations.map(({ n }) => n) }], citations, sources];
}

function wholeText({ leadIn, text }: SourcePart): string {
  return leadIn === null ? text : `${leadIn.text} ${text}`;
}

/** In the order of the source, list items with what leads to them; sentences that follow each other on a line are one. */
function citedSpans(taken: readonly SourcePart[]): SupportingSpan[] {
  const parts = new Set(taken.flatMap((part) => (part.leadIn === null ? [part] : [part.leadIn, part])));
  const spans: SupportingSpan[] = [];
  for (const { passage, start, wordsFrom, end } of [...parts].sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    const between =
      last?.passage === passage ? passage.text.slice(last.end - passage.start, start - passage.start) : null;
    if (last && between !== null && /^ *$/.test(between)) last.end = end;
    else spans.push({ passage, start: wordsFrom, end });
  }
  return spans;
}
