import type { Strip } from '../contracts/document.ts';
import type { Block, ParsedDocument } from '../contracts/parsed-document.ts';
import { sentences } from '../text/sentences.ts';
import type { Span } from '../text/sentences.ts';
import { givesOrders } from '../untrusted/orders.ts';
import type { SplitterOptions, TokenBudget } from './options.ts';
import { tokenBudget } from './options.ts';
import { cutAtWords, surelyLonger, tokensOf } from './tokens.ts';

/** A strip with what is needed to pack it. */
export interface Unit extends Strip {
  tokens: number;
  /** Headings above it, outermost first. */
  path: string[];
  page: number | null;
  /** The outermost level of the headings passed since the unit before; null if there was none. */
  passedHeading: number | null;
  /** First of its block. */
  opensBlock: boolean;
  /** Part of a sentence, item, row or code block that no passage can hold whole. */
  cut: boolean;
}

/** List items up to this many tokens are one strip; longer ones are cut into their sentences. */
const wholeItemTokens = 60;
/** Sentences are looked for in stretches of this many characters, so that a very long line takes linear time. */
const sentenceWindow = 20_000;
/** Longer than any model's window: a sentence of this length is cut anyway. */
const largestWindow = 160_000;

/** The units of a document in order. Lazy, so that a caller can let others run in between: a long document takes seconds. */
export function* documentUnits(parsed: ParsedDocument, options: SplitterOptions): Generator<Unit> {
  const budget = tokenBudget(options);
  const headersInUse = new Set(parsed.blocks.map((block) => block.headerBlock));
  const headings: { level: number; text: string }[] = [];
  let passedHeading: number | null = null;

  for (const [index, block] of parsed.blocks.entries()) {
    const level = block.level ?? 1;
    if (block.kind === 'heading') {
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      passedHeading = Math.min(passedHeading ?? level, level);
    }
    // A header row is quoted with its rows; a heading names what stands below it on its page. Alone, they are text like any other.
    const named = block.kind === 'heading' ? !standsAlone(block, parsed.blocks[index + 1]) : headersInUse.has(index);
    if (!named) {
      const header = block.headerBlock === undefined ? undefined : parsed.blocks[block.headerBlock];
      let opensBlock = true;
      for (const part of blockParts(block, parsed.text, { budget, countTokens: options.countTokens })) {
        const { start, end, kind, tokens, cut } = part;
        const place = { path: headings.map(({ text }) => text), page: block.page ?? null, passedHeading, opensBlock };
        yield { start, end, kind, header: header ? spanText(header, parsed.text) : null, tokens, cut, ...place };
        opensBlock = false;
        passedHeading = null;
      }
    }
    const text = parsed.text.slice(block.start, block.end).trim();
    // What stands over a passage is shown with it everywhere.
    if (block.kind === 'heading' && !givesOrders(text, 'own')) headings.push({ level, text });
  }
}

function standsAlone(heading: Block, next: Block | undefined): boolean {
  if (next === undefined || next.page !== heading.page) return true;
  return next.kind === 'heading' && (next.level ?? 1) <= (heading.level ?? 1);
}

type Part = Pick<Unit, 'start' | 'end' | 'kind' | 'tokens' | 'cut'>;
type Measure = { budget: TokenBudget; countTokens: (text: string) => number };

function* blockParts(block: Block, text: string, measure: Measure): Generator<Part> {
  const whole = trimmed(text, block);
  if (whole.start === whole.end) return;
  if (block.kind === 'code' || block.kind === 'row' || block.kind === 'header') {
    yield* wholeOrCut(whole, text, { kind: block.kind === 'code' ? 'code' : 'row', ...measure });
    return;
  }
  const kind = block.kind === 'item' ? 'item' : 'sentence';
  const source = text.slice(whole.start, whole.end);
  if (kind === 'item' && !surelyLonger(source, wholeItemTokens)) {
    const tokens = tokensOf(source, measure.countTokens);
    if (tokens <= wholeItemTokens) {
      yield { ...whole, kind, tokens, cut: false };
      return;
    }
  }
  for (const { start, end } of sentencesByWindow(source)) {
    yield* wholeOrCut({ start: whole.start + start, end: whole.start + end }, text, { kind, ...measure });
  }
}

function* wholeOrCut(
  span: Span,
  text: string,
  { kind, budget, countTokens }: Measure & { kind: Strip['kind'] },
): Generator<Part> {
  const source = text.slice(span.start, span.end);
  if (!surelyLonger(source, budget.limit)) {
    const tokens = tokensOf(source, countTokens);
    if (tokens <= budget.limit) {
      yield { ...span, kind, tokens, cut: false };
      return;
    }
  }
  for (const piece of cutAtWords(source, budget.target, countTokens)) {
    const tokens = tokensOf(source.slice(piece.start, piece.end), countTokens);
    yield { start: span.start + piece.start, end: span.start + piece.end, kind, tokens, cut: true };
  }
}

/** The last sentence of a stretch may go on after it, so that it is looked at again in the next one. */
function* sentencesByWindow(text: string): Generator<Span> {
  let from = 0;
  let size = sentenceWindow;
  while (from < text.length) {
    const stretch = text.slice(from, from + size);
    const found = sentences(stretch);
    const last = found.at(-1);
    if (last === undefined) return;
    const atEnd = from + size >= text.length;
    if (!atEnd && found.length === 1 && size < largestWindow) {
      size *= 2;
      continue;
    }
    const complete = atEnd || found.length === 1 ? found : found.slice(0, -1);
    for (const { start, end } of complete) yield { start: from + start, end: from + end };
    if (atEnd) return;
    from += found.length === 1 ? stretch.length : last.start;
    size = sentenceWindow;
  }
}

function spanText({ start, end }: Span, text: string): Strip['header'] {
  return { start, end, text: text.slice(start, end) };
}

function trimmed(text: string, { start, end }: Span): Span {
  const source = text.slice(start, end);
  const lead = source.length - source.trimStart().length;
  return { start: start + lead, end: start + lead + source.trim().length };
}
