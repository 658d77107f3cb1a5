import { halfWidth } from './half-width.ts';
import { leadIn } from './lead-in.ts';
import { hanPageNumber, pageNumber, pageOrdinal, pageValue } from './page-numbers.ts';

/** Pages from one to the other, both included, counted from 1; `to` null: to the end. */
export interface PageSpan {
  from: number;
  to: number | null;
}

/** A place of a text that names pages ("pages 2 to 5"), in UTF-16 code units. */
export interface PageMention {
  start: number;
  end: number;
  spans: PageSpan[];
}

const one = String.raw`page|pg\.?|p\.|slide|seite|folie|p[áa]gina|p[áa]g\.|bladzijde|blz\.|diapositive|stron[aęiy]e?|str\.|sidan?|страниц[аеуы]|стр\.`;
const many = String.raw`pages|pgs\.?|pp\.|slides|seiten|folien|p[áa]ginas|p[áa]gs\.|pagine|bladzijden|diapositives|strony|sidor|sidorna|страниц(?:ах|ам)?`;
const head = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(?:(?:${many}|${one})(?!\p{L})|(?<=\b(?:auf|ab|bis|siehe|vgl\.|von)\s)s\.)\s*(?:(?:no\.|nos\.|nr\.|n°|numbers?|#)\s*)?(?=[\d\p{L}])`,
  'giu',
);
const number = new RegExp(pageNumber, 'iuy');
const again = String.raw`(?:(?:${many}|${one})\s*)?`;
const range = new RegExp(
  String.raw`\s*(?:[-–—~]|\.\.\.?)\s*${again}|\s+(?:(?:up\s+)?to|through|thru|until|till|bis|à|a|al|tot|t/m|до)\s+${again}`,
  'iuy',
);
const further = new RegExp(
  String.raw`\s*,?\s*(?:[&+]|(?<=[\s,])(?:and|or|und|oder|sowie|et|ou|y|o|e|en|i|och|и|или)(?=\s))\s*${again}`,
  'iuy',
);
const comma = /\s*[,;]\s*/uy;

/** "reload the page 3 times", "the page two weeks ago": the number counts something. */
const counted =
  /^\s*(?:%|°|percent|per cent|times?\b|x\b|(?:milli)?seconds?\b|minutes?\b|hours?\b|days?\b|weeks?\b|months?\b|years?\b|users?\b|visitors?\b|people\b|mal\b|sekunden?\b|minuten?\b|stunden?\b|tagen?\b|wochen?\b|monaten?\b|jahren?\b|fois\b|veces\b|[cm]?m\b|inch(?:es)?\b)/i;
/** Pages of the web and of programs are numbered, too. */
const ofTheWeb =
  /(?:web|home|landing|error|log-?in|sign-?(?:in|up|on)|status|checkout|admin|settings|search|results?)[\s-]$/i;
const determined = /\b(?:the|this|that|each|every|any|which|my|our|your|their|a)\s$/i;

const between = /(?:between|zwischen|entre|tussen|между)\s(?:the\s|den\s|les\s|las\s|as\s)?$/i;
const after = /\b(?:after|following|beyond|nach)\s$/i;
const before = /\b(?:before|preceding|vor)\s$/i;
const upTo = /(?:\b(?:up to|until|till|bis|bis zur?)|\bjusqu['’]à la)\s$/i;
const startingAt = /(?:\b(?:ab|starting (?:at|from|on|with)|beginning (?:at|on|with))|(?:à|\ba) partir de la)\s$/i;
const openEnd =
  /^(?:\s*ff?\b\.?|\s+onwards?\b|\s+on(?=\s*(?:[,;:.?!]|$))|\s*\+|,?\s+(?:and|und|et|y)\s+(?:the\s+)?(?:following|onwards?|after|beyond|later|folgende|suivantes|siguientes)\b)/i;

const ordinalPage = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(${pageOrdinal})\s+(?:page|slide|seite|folie|p[áa]gina|diapositive)(?![\p{L}\p{N}-])`,
  'giu',
);
const firstPages = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(?:first|ersten|primeras)\s+(${pageNumber})\s+(?:pages|slides|seiten|folien|p[áa]ginas)(?!\p{L})`,
  'giu',
);
const pageSign = '(?:ページ|頁|页|페이지|쪽)';
const hanRange = new RegExp(
  String.raw`第?\s*(${hanPageNumber})\s*(?:[-–~〜～到至]|から)\s*第?\s*(${hanPageNumber})\s*${pageSign}`,
  'gu',
);
/** 3ページに, 第3页, 3쪽에. Without 第 or a particle it is a count: 全3ページ, 3ページの書類, 3页. */
const hanPage = new RegExp(
  String.raw`第\s*(${hanPageNumber})\s*${pageSign}|(?<![全約共計\d])(\d{1,4})\s*(?:ページ|頁)(?=[目にではを]|から|の(?!書類|文書|資料|論文|冊子|PDF))|(?<!총\s?|\d)(\d{1,4})\s*(?:페이지|쪽)(?=[에의은는을를])`,
  'gu',
);

/** Where a text names pages of a document by their numbers: "page 3", "pp. 2–5", "the third page", "Seite 3", "第3页". In order, apart from each other. */
export function pageMentions(text: string): PageMention[] {
  const plain = halfWidth(text);
  const found = [
    ...matches(plain, hanRange, ([from, to]) => [ordered(from ?? '', to ?? '')].flat()),
    ...matches(plain, firstPages, ([last]) => [{ from: 1, to: pageValue(last ?? '') }]),
    ...numberedPages(plain),
    ...matches(plain, hanPage, ([raw]) => [single(raw ?? '')]),
    ...matches(plain, ordinalPage, ([raw]) => [single(raw ?? '')]),
  ];
  const apart: PageMention[] = [];
  for (const mention of found) {
    const free = !apart.some((other) => mention.start < other.end && other.start < mention.end);
    if (free && mention.spans.length > 0 && mention.spans.every(({ from }) => from > 0)) apart.push(mention);
  }
  return apart.sort((a, b) => a.start - b.start);
}

function matches(text: string, pattern: RegExp, spansOf: (groups: string[]) => PageSpan[]): PageMention[] {
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    spans: spansOf(match.slice(1).filter((group) => group !== undefined)),
  }));
}

function numberedPages(text: string): PageMention[] {
  const found: PageMention[] = [];
  for (const match of text.matchAll(head)) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const mention = numbersBehind(text, match);
    if (mention !== null) found.push(mention);
  }
  return found;
}

/** The numbers behind "page" or "pages", as far as they go on. */
function numbersBehind(text: string, { 0: word, index }: RegExpExecArray): PageMention | null {
  const lead = leadIn(text, index);
  const plural = new RegExp(`^(?:${many})`, 'iu').test(word);
  let at = index + word.length;
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const [raw] = pattern.exec(text) ?? [];
    if (raw === undefined) return null;
    at += raw.length;
    return raw;
  };
  const first = read(number);
  if (first === null || ofTheWeb.test(lead) || (/^one$/i.test(first) && determined.test(lead))) return null;

  const spans: PageSpan[] = [single(first)];
  let last = first;
  for (;;) {
    const here = at;
    const isRange = read(range) !== null;
    const goesOn = isRange || read(further) !== null || (plural && read(comma) !== null);
    const next = goesOn ? read(number) : null;
    if (next === null) {
      at = here;
      break;
    }
    if (isRange) spans.splice(-1, 1, ...ordered(last, next));
    else spans.push(single(next));
    last = next;
  }
  const rest = text.slice(at, at + 40);
  if (counted.test(rest)) return null;
  return { start: index, end: at, spans: withLead(spans, { lead, rest }) };
}

/** What the words around say of the pages: between them, after them, up to them. */
function withLead(spans: PageSpan[], { lead, rest }: { lead: string; rest: string }): PageSpan[] {
  const [first, second] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return spans;
  if (spans.length === 2 && second && between.test(lead)) return [{ from: first.from, to: second.to }];
  if (openEnd.test(rest)) return [...spans.slice(0, -1), { from: last.from, to: null }];
  if (spans.length > 1 || first.from !== first.to) return spans;
  if (startingAt.test(lead)) return [{ from: first.from, to: null }];
  if (after.test(lead)) return [{ from: first.from + 1, to: null }];
  if (before.test(lead)) return first.from > 1 ? [{ from: 1, to: first.from - 1 }] : [];
  return upTo.test(lead) ? [{ from: 1, to: first.from }] : spans;
}

function single(raw: string): PageSpan {
  const value = pageValue(raw);
  return { from: value, to: value };
}

/** Two pages where the second is no later one. */
function ordered(from: string, to: string): PageSpan[] {
  const [low, high] = [pageValue(from), pageValue(to)];
  return low < high ? [{ from: low, to: high }] : [single(from), single(to)];
}
