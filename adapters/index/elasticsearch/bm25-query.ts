import type { Term } from '../question-terms.ts';
import type { Query } from './query.ts';

/**
 * Weights by measurement on SciFact and Cranfield, where each is worth about 0.005 nDCG@10: the exact form of a word beside its stem; and for a
 * word in both text and title, a part of the lesser score. A code counts as much as a word, besides the words that it consists of.
 */
const exactFormWeight = 0.3;
const lesserFieldPart = 0.3;
/** Pairs of characters repeat what the segmented words say. */
const gramWeight = 0.5;

/** Passages with any of the terms. Terms are values, never syntax. */
export function bm25Query(terms: Term[], filter: Query[]): Query {
  const words = textsOf(terms, 'word');
  const grams = textsOf(terms, 'gram');
  return {
    bool: {
      filter,
      minimum_should_match: 1,
      should: [
        ...words.map(wordQuery),
        ...(words.length > 0 ? [neutralQuery(words, exactFormWeight)] : []),
        ...textsOf(terms, 'code').map(codeQuery),
        ...(grams.length > 0 ? [neutralQuery(grams, gramWeight)] : []),
      ],
    },
  };
}

/** Passages with this term, wherever it counts. */
export function termQuery({ kind, text }: Term): Query {
  switch (kind) {
    case 'word':
      return wordQuery(text);
    case 'code':
      return codeQuery(text);
    case 'gram':
      return neutralQuery([text], gramWeight);
  }
}

function wordQuery(word: string): Query {
  const fields = ['body', 'context'];
  return { multi_match: { query: word, fields, type: 'best_fields', tie_breaker: lesserFieldPart } };
}

function codeQuery(code: string): Query {
  return { term: { codes: code } };
}

function neutralQuery(texts: string[], boost: number): Query {
  return { match: { neutral: { query: texts.join(' '), boost } } };
}

function textsOf(terms: Term[], kind: Term['kind']): string[] {
  return terms.filter((term) => term.kind === kind).map(({ text }) => text);
}
