import { foldText } from '../text/normalise.ts';
import type { Span } from '../text/sentences.ts';
import type { TokenBudget } from './options.ts';
import { cutAtWords, tokensOf } from './tokens.ts';
import type { Unit } from './units.ts';

const separator = ' › ';

/** Headings above the passage, outermost first, as "Fees › Late"; what they share if there are several, or the path of the largest part. */
export function sectionOf(run: Unit[], title: string): string {
  const weights = new Map<string, { path: string[]; tokens: number }>();
  for (const { path: headings, tokens } of run) {
    const path = withoutTitle(headings, title);
    const name = path.join(separator);
    if (path.length > 0) weights.set(name, { path, tokens: tokens + (weights.get(name)?.tokens ?? 0) });
  }
  const [first, ...rest] = weights.values();
  if (first === undefined) return '';
  const shared = rest.reduce((prefix, { path }) => prefix.slice(0, sharedLength(prefix, path)), first.path);
  const largest = rest.reduce((best, next) => (next.tokens > best.tokens ? next : best), first);
  return (shared.length > 0 ? shared : largest.path).join(separator);
}

interface ContextSource {
  title: string;
  budget: TokenBudget;
  countTokens: (text: string) => number;
}

/** Title, headings of the first strip and the header rows that the passage itself does not hold, a line each; cut to its share of the model's window. */
export function passageContext(run: Unit[], span: Span, { title, budget, countTokens }: ContextSource): string {
  const path = withoutTitle(run[0]?.path ?? [], title);
  const headers = new Map<number, string>();
  for (const { header } of run) {
    if (header && (header.start < span.start || header.end > span.end)) headers.set(header.start, header.text);
  }
  const context = [title, path.join(separator), ...headers.values()].filter((line) => line !== '').join('\n');
  if (tokensOf(context, countTokens) <= budget.context) return context;
  const [first] = cutAtWords(context, budget.context - 1, countTokens);
  return first ? `${context.slice(0, first.end)}…` : '';
}

/** A first heading that repeats the document's title, or all of it but a site's name ("Rates | Acme"), says nothing more. */
function withoutTitle(path: string[], title: string): string[] {
  const [first, ...rest] = path;
  if (first === undefined) return path;
  const heading = foldText(first).trim();
  const whole = foldText(title).trim();
  return whole.startsWith(heading) && /^(?:$|\s*[|:·–—]|\s+-\s)/.test(whole.slice(heading.length)) ? rest : path;
}

function sharedLength(a: string[], b: string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
