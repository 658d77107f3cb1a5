import type { Analysis, Aspect } from '../contracts/question.ts';
import { identifiers } from '../text/identifiers.ts';
import { detectLanguage } from '../text/language.ts';
import { pageMentions } from '../text/page-mentions.ts';
import { sentences } from '../text/sentences.ts';
import { contentStems, words } from '../text/words.ts';
import { isSmallTalk } from './small-talk.ts';

/** Questions longer than this (a pasted log) are searched by their most telling sentences. In UTF-16 code units. */
const longQuestion = 600;
const maxAspects = 4;

const questionStart =
  '(?:what|when|where|who|whom|whose|which|why|how|does|do|did|is|are|was|were|can|could|may|must|should|shall|will|would|has|have|at what|by when|for how|in what|to whom|until when)';
const clauseBreak = new RegExp(
  `\\s*(?:,?\\s+(?:and|or|but|plus)(?:\\s+also)?|;|,|\\?)\\s+(?=${questionStart}\\b)`,
  'gi',
);
const pronoun = /\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|there|one|such)\b/i;

/** What a question asks for, by rules. Long pasted texts are reduced to their questions and the lines around identifiers. */
export function analyseQuestion(text: string): Analysis {
  const question = text.trim();
  const long = question.length > longQuestion;
  const searchText = long ? essence(question) : question;
  const aspects = aspectsOf(searchText);
  return {
    kind: kindOf(question),
    language: detectLanguage(question),
    identifiers: identifiers(searchText),
    quoted: quotedSpans(searchText),
    aspects,
    // "Page 3 of 7" in a pasted log is not what is asked about.
    pages: pageMentions(long ? aspects.map(({ text }) => text).join('\n') : question).flatMap(({ spans }) => spans),
    searchText,
  };
}

function kindOf(question: string): Analysis['kind'] {
  if (isSmallTalk(question)) return 'smalltalk';
  const asksForSomething = contentStems(question).length > 0 || identifiers(question).length > 0;
  return asksForSomething ? 'question' : 'unclear';
}

function quotedSpans(text: string): string[] {
  return [...text.matchAll(/["“„«]([^"“”„«»]{2,200})["”“»]/gu)]
    .map((match) => match[1] ?? '')
    .filter((span) => words(span).length > 0);
}

/** One aspect a clause that asks something of its own; a clause that leans on a pronoun takes the first clause's words along. */
function aspectsOf(text: string): Aspect[] {
  const clauses = splitClauses(text).slice(0, maxAspects);
  const first = clauses[0] ?? text;
  return clauses.map((clause, index) => {
    const leans = index > 0 && (pronoun.test(clause) || contentStems(clause).length < 2);
    const subject = leans ? subjectOf(first) : null;
    return {
      id: `a${index + 1}`,
      text: subject === null ? clause : `${clause} (${subject})`,
      terms: contentStems(clause),
      subject,
    };
  });
}

/** What a clause is about, for a later one that says "it": its names and codes, else all its content words. */
function subjectOf(clause: string): string {
  const names = [...clause.matchAll(/(?<!^)(?<=\s)\p{Lu}[\p{L}\p{N}]*(?:[\s-][\p{Lu}\p{N}][\p{L}\p{N}-]*)*/gu)].map(
    ([name]) => name,
  );
  const subject = [...new Set([...names, ...identifiers(clause)])];
  return (subject.length > 0 ? subject : contentStems(clause)).join(' ');
}

function splitClauses(text: string): string[] {
  const asked = sentences(text)
    .map((span) => text.slice(span.start, span.end))
    .filter((sentence) => words(sentence).length > 0);
  const questions = asked.filter((sentence) => /[?？]\s*$/.test(sentence));
  const base = questions.length > 0 ? questions : [text];
  const clauses = base
    .flatMap((sentence) => sentence.split(clauseBreak))
    .map((clause) => clause.replace(/[?？\s]+$/, '').trim());
  const telling = clauses.filter((clause) => contentStems(clause).length > 0);
  return telling.length > 0 ? telling : [text];
}

/** The questions of a long text, the sentences that carry identifiers, and its last sentence, at most `longQuestion` characters, in order. */
function essence(text: string): string {
  const spans = sentences(text);
  const ranked = spans
    .map((span, index) => ({ span, index, sentence: text.slice(span.start, span.end) }))
    .map((entry) => ({ ...entry, rank: rankOf(entry.sentence, entry.index === spans.length - 1) }))
    .sort((a, b) => b.rank - a.rank || b.index - a.index);
  const chosen: typeof ranked = [];
  let length = 0;
  for (const entry of ranked) {
    const size = Math.min(entry.sentence.length, longQuestion) + 1;
    if (length + size > longQuestion && chosen.length > 0) continue;
    chosen.push(entry);
    length += size;
  }
  return (
    chosen
      .sort((a, b) => a.index - b.index)
      .map((entry) => cutAtWord(entry.sentence, longQuestion))
      // Lines of a log end without a stop: they stay lines, so that the question among them stays a sentence.
      .join('\n')
  );
}

function rankOf(sentence: string, last: boolean): number {
  return (/[?？]\s*$/.test(sentence) ? 4 : 0) + (last ? 2 : 0) + (identifiers(sentence).length > 0 ? 1 : 0);
}

/** Cuts before a word that would go over `limit` UTF-16 code units, never inside a character. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit + 1);
  const space = head.search(/\s\S*$/);
  if (space > limit / 2) return head.slice(0, space);
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (cut.length + segment.length > limit) break;
    cut += segment;
  }
  return cut;
}
