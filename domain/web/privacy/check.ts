import { halfWidth } from '../../text/half-width.ts';
import { identifiers } from '../../text/identifiers.ts';
import { normaliseText } from '../../text/normalise.ts';
import { contentStems } from '../../text/words.ts';
import { borrowedWords } from './borrowed.ts';
import { contacts } from './contacts.ts';
import { type Finding, matchesOf, type PrivateKind } from './finding.ts';
import { type AskedQuestion, fragments } from './fragments.ts';
import { privateNames } from './names.ts';
import { financialNumbers } from './numbers.ts';
import { secrets } from './secrets.ts';
import { privateSpans } from './spans.ts';

export interface PrivacyRules {
  /** As `privatePatternSchema` (domain/web/schema.ts) has them. */
  patterns: readonly string[];
  privateNames: readonly string[];
  /** Texts of which no five words in a row may leave. */
  privateSpans: readonly string[];
  /**
   * The question of which the query is a form: what was taken out of it may not come back in parts, and no word of the texts above that it does not
   * have may leave. Absent: the query is a person's own.
   */
  asked?: AskedQuestion;
}

/** What was taken out of a query, without what it was. `characters`: its length. */
export interface Removal {
  kind: PrivateKind;
  characters: number;
}

export interface CheckedQuery {
  /** Null when what is left asks nothing: then no search may be made. */
  query: string | null;
  removed: Removal[];
}

/** Where findings overlap, the kind named first is told. */
const kinds: readonly PrivateKind[] = [
  'tenant_pattern',
  'iban',
  'card',
  'secret',
  'email',
  'private_name',
  'private_span',
  'phone',
  'account_number',
];

/**
 * Takes out of a query what must not leave the house. Repeated until nothing is found, since what was apart may stand together then; checking the
 * result again therefore removes nothing. When in doubt a number goes: a search that finds less harms less than one that tells too much.
 */
export function privacyCheck(query: string, rules: PrivacyRules): CheckedQuery {
  const { left, rounds } = checked(query, rules);
  const removed = rounds.flatMap(({ findings }) =>
    merged(findings).map(({ kind, start, end }) => ({ kind, characters: end - start })),
  );
  const asks = contentStems(left).length > 0 || identifiers(left).length > 0;
  return { query: asks ? left : null, removed };
}

/** A question as `PrivacyRules` want it for the queries that are made of it. */
export function askedQuestion(question: string, rules: Omit<PrivacyRules, 'asked'>): AskedQuestion {
  const { left, rounds } = checked(question, rules);
  const taken = rounds.flatMap(({ text, findings }) => {
    const plain = plainDigits(text);
    return findings.toSorted(byKind).map(({ kind, start, end }) => ({ kind, text: plain.slice(start, end) }));
  });
  return { taken, left: plainDigits(left) };
}

interface Round {
  text: string;
  findings: Finding[];
}

function checked(query: string, rules: PrivacyRules): { left: string; rounds: Round[] } {
  const compiled = { ...rules, patterns: rules.patterns.map((source) => new RegExp(source, 'giu')) };
  const rounds: Round[] = [];
  for (let text = tidy(query.toWellFormed()); ;) {
    const findings = findAll(text, compiled);
    if (findings.length === 0) return { left: text, rounds };
    rounds.push({ text, findings });
    text = tidy(without(text, merged(findings)));
  }
}

function findAll(text: string, rules: Omit<PrivacyRules, 'patterns'> & { patterns: RegExp[] }): Finding[] {
  const plain = plainDigits(text);
  const { asked } = rules;
  return [
    ...rules.patterns.flatMap((pattern) => [
      ...matchesOf(text, 'tenant_pattern', pattern),
      ...matchesOf(plain, 'tenant_pattern', pattern),
    ]),
    ...secrets(plain),
    ...contacts(plain),
    ...financialNumbers(plain),
    ...privateNames(text, rules.privateNames),
    ...privateSpans(text, rules.privateSpans),
    ...(asked === undefined ? [] : fragments(plain, asked)),
    ...(asked === undefined ? [] : borrowedWords(text, { asked: asked.left, privateTexts: rules.privateSpans })),
  ];
}

/** In order and apart: those that touch are one, named by the first of their kinds. */
function merged(findings: Finding[]): Finding[] {
  const result: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || finding.start > last.end) {
      result.push({ ...finding });
      continue;
    }
    last.end = Math.max(last.end, finding.end);
    if (byKind(finding, last) < 0) last.kind = finding.kind;
  }
  return result;
}

function byKind(a: Finding, b: Finding): number {
  return kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
}

/** A possessive ending goes with its name, and what stands between two findings with these. */
function without(text: string, findings: Finding[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of findings) {
    pieces.push(text.slice(from, start));
    from = end;
  }
  const between = (piece: string): string => (/[\p{L}\p{N}]/u.test(piece) ? piece : piece.replace(/[^\n]/gu, ' '));
  return [...pieces.map((piece, index) => (index === 0 ? piece : between(piece))), text.slice(from)]
    .map((piece, index) => (index === 0 ? piece : piece.replace(/^['’]s\b/u, '')))
    .join(' ');
}

function tidy(text: string): string {
  return normaliseText(text)
    .replace(/[([{<"“„]\s*[)\]}>"”]/g, '')
    .replace(/(?<=^|\s)["'“”„()[\]{}<>]+(?=\s|$)/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .replace(/ (?=[?!.,;:])/g, '')
    .trim();
}

/** Digits of any script and width as ASCII ones. Keeps length, so that offsets stay good. */
function plainDigits(text: string): string {
  return halfWidth(text).replace(/[\p{Nd}--[0-9]]/gv, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    if (code > 0xffff) return digit;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}
