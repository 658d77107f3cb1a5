import type { Term } from '../question-terms.ts';
import type { Query } from './query.ts';

/**
 * Weights as in the embedded index: a word in the title or heading says more than one in the text, a code more than a word; pairs of
 * characters repeat what the segmented words say.
 */
const contextWeight = 2;
const codeWeight = 2;
const gramWeight = 0.5;
const wordFields = ['body', `context^${contextWeight}`];

/**
 * Passages with any of the terms. Words are scored over text and title as one field (BM25F: `combined_fields`), so that a word in both
 * does not count twice as rare. Terms are values, never syntax.
 */
export function bm25Query(terms: Term[], filter: Query[]): Query {
  const words = textsOf(terms, 'word');
  const grams = textsOf(terms, 'gram');
  return {
    bool: {
      filter,
      minimum_should_match: 1,
      should: [
        ...(words.length > 0 ? [wordQuery(words)] : []),
        ...textsOf(terms, 'code').map((code) => ({ term: { codes: { value: code, boost: codeWeight } } })),
        ...(grams.length > 0 ? [{ match: { neutral: { query: grams.join(' '), boost: gramWeight } } }] : []),
      ],
    },
  };
}

/** Passages with this term, wherever it counts. */
export function termQuery({ kind, text }: Term): Query {
  switch (kind) {
    case 'word':
      return wordQuery([text]);
    case 'code':
      return { term: { codes: text } };
    case 'gram':
      return { match: { neutral: text } };
  }
}

function wordQuery(words: string[]): Query {
  return { combined_fields: { query: words.join(' '), fields: wordFields } };
}

function textsOf(terms: Term[], kind: Term['kind']): string[] {
  return terms.filter((term) => term.kind === kind).map(({ text }) => text);
}
