import type { Analysis, Aspect } from '../contracts/question.ts';
import { holdsExactly } from '../text/identifiers.ts';
import { contentStems } from '../text/words.ts';
import { alreadyTried, protectedTerms } from './rewrite.ts';

export interface SubQuestion {
  aspectId: string;
  query: string;
}

/** "the fee and the deadline for late returns": two heads before a shared tail. */
const sharedTail =
  /^(.*?\b)([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?) and (?:the |a |an |its |their )?([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?)((?: (?:of|for|in|on|at|to|with|after|before|under|from)\b.*)?)$/iu;

/**
 * Simpler searches for the aspects still missing: one an aspect, and where an aspect joins two things with "and", one each.
 * The question's identifiers go into every one. At most `maxTurns`; none that was tried already.
 */
export function decomposeQuestion(
  input: { question: string; analysis: Analysis; missing: Aspect[]; tried: string[] },
  maxTurns: number,
): SubQuestion[] {
  const kept = protectedTerms(input.question, input.analysis);
  const found: SubQuestion[] = [];
  for (const aspect of input.missing) {
    for (const part of partsOf(aspect.text)) {
      const query = withProtected(part, kept);
      const tried = [...input.tried, ...found.map((sub) => sub.query)];
      if (contentStems(query).length > 0 && !alreadyTried(query, tried)) found.push({ aspectId: aspect.id, query });
    }
  }
  return found.slice(0, maxTurns);
}

function partsOf(text: string): string[] {
  const match = sharedTail.exec(text.replace(/[?.!]+$/, ''));
  if (!match) return [text];
  const [, lead = '', left = '', right = '', tail = ''] = match;
  const context = `${lead}`.trim();
  return [`${context} ${left}${tail}`.trim(), `${context} ${right}${tail}`.trim()];
}

/** The query with the terms in front that it lacks. */
export function withProtected(query: string, kept: string[]): string {
  const absent = kept.filter((term) => !holdsExactly(query, term));
  return absent.length === 0 ? query : `${absent.join(' ')} ${query}`;
}
