import { z } from 'zod';
import { holdsExactly } from '../text/identifiers.ts';
import { hasUnspacedScript, words } from '../text/words.ts';
import { alreadyTried, filledUp, protectedTerms, rewriteQuery, type RewriteInput } from '../rules/rewrite.ts';

export const queryAnswerSchema = z.object({ query: z.string() });

/** Not a row of keywords: addresses, markup. */
const foreign = /[<>{}]|https?:|www\.|!\[|\]\(/i;

/**
 * The searches to make of a model's query, at most two. A short one is filled up with words of neighbouring titles, as the rules do. One that lost a
 * protected term of the question is searched with the raw question beside it (or, where that was searched already, with the query that the rules
 * make). One that is too long, no row of keywords or tried already gives way to the rules' query.
 */
export function queriesOf(
  written: string,
  input: RewriteInput,
  limits: { minWords: number; maxWords: number },
): string[] {
  const byRules = rewriteQuery(input, limits);
  const kept = protectedTerms(input.question, input.analysis);
  const own = written.split(/\s+/).filter(Boolean);
  const short = lengthOf(own.join(' ')) < limits.minWords;
  const query = (short ? filledUp(own, input.neighbours, limits.minWords) : own).join(' ');
  const fits = lengthOf(query) <= Math.max(limits.maxWords, kept.length);
  const usable = words(own.join(' ')).length > 0 && fits && !foreign.test(query);
  if (!usable || alreadyTried(query, input.tried)) return byRules === null ? [] : [byRules];
  const lost = kept.filter((term) => !holdsExactly(query, term));
  if (lost.length === 0) return [query];
  const tried = [...input.tried, query];
  const beside = [input.analysis.searchText, byRules].find((text) => text !== null && !alreadyTried(text, tried));
  return beside == null ? [query] : [query, beside];
}

/** A code is one word; where a script has no spaces, its segments are counted. */
function lengthOf(query: string): number {
  return hasUnspacedScript(query) ? words(query).length : query.split(' ').length;
}
