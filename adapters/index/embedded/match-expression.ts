import { maxTerms, questionTerms, rarestTerms } from '../question-terms.ts';
import type { Term } from '../question-terms.ts';
import { hexadecimal } from './full-text.ts';

/**
 * The question as an FTS5 expression: any of its terms, each in quotation marks, so that nothing in it is read as syntax. Null when
 * there is none.
 *
 * @param frequency how many passages an expression matches; asked only when there are more than `maxTerms` terms
 */
export function matchExpression(
  text: string,
  identifiers: string[],
  frequency: (expression: string) => number,
): string | null {
  const terms = questionTerms(text, identifiers);
  const kept = terms.length > maxTerms ? rarestTerms(terms, (term) => frequency(expression(term))) : terms;
  return kept.length === 0 ? null : kept.map(expression).join(' OR ');
}

function expression({ kind, text }: Term): string {
  switch (kind) {
    case 'word':
      return `{body context} : "${text}"`;
    case 'code':
      return `codes : "${hexadecimal(text)}"`;
    case 'gram':
      return `grams : "${text}"`;
  }
}
