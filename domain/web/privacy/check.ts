import { halfWidth } from '../../text/half-width.ts';
import { identifiers } from '../../text/identifiers.ts';
import { normaliseText } from '../../text/normalise.ts';
import { contentStems } from '../../text/words.ts';
import { borrowedWords } from './borrowed.ts';
import { contacts } from './contacts.ts';
import { type Finding, matchesOf, type PrivateKind } from './finding.ts';
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
  /** What a person wrote: a word of the texts above that is not in it may not leave either. Absent: the query is a person's own. */
  asked?: string;
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
  const patterns = rules.patterns.map((source) => new RegExp(source, 'giu'));
  const removed: Removal[] = [];
  let text = tidy(query.toWellFormed());
  for (;;) {
    const findings = merged(findAll(text, { ...rules, patterns }));
    if (findings.length === 0) break;
    removed.push(...findings.map(({ kind, start, end }) => ({ kind, characters: end - start })));
    text = tidy(without(text, findings));
  }
  const asks = contentStems(text).length > 0 || identifiers(text).length > 0;
  return { query: asks ? text : null, removed };
}

function findAll(text: string, rules: Omit<PrivacyRules, 'patterns'> & { patterns: RegExp[] }): Finding[] {
  const plain = asciiDigits(halfWidth(text));
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
    ...(rules.asked === undefined ? [] : borrowedWords(text, { asked: rules.asked, privateTexts: rules.privateSpans })),
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
    if (kinds.indexOf(finding.kind) < kinds.indexOf(last.kind)) last.kind = finding.kind;
  }
  return result;
}

/** A possessive ending goes with its name. */
function without(text: string, findings: Finding[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of findings) {
    pieces.push(text.slice(from, start));
    from = end;
  }
  return [...pieces, text.slice(from)]
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

/** Digits of any script as ASCII ones. Keeps length, so that offsets stay good. */
function asciiDigits(text: string): string {
  return text.replace(/[\p{Nd}--[0-9]]/gv, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    if (code > 0xffff) return digit;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}
