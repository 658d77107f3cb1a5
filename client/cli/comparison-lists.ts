import type { ComparedCitation, ComparedPassage, Comparison, GradeOfRun } from '../../domain/contracts/comparison.ts';
import { row, type Row } from './two-columns.ts';

const quoteCharacters = 100;

/**
 * The passages that one side has graded otherwise, used, or found alone, each under its place; of the others, which are graded alike or were found
 * alone and are irrelevant, the number.
 */
export function evidenceRows(evidence: Comparison['evidence']): Row[] {
  if (evidence === null) return [];
  const { both, onlyFirst, onlySecond } = evidence;
  const shared = both.map((one) => gradesRow(one, [one.first, one.second]));
  const told = shared.filter(({ changed }, i) => changed || both[i]?.first.used);
  const alike = shared.length - told.length;
  return [
    ...told,
    ...onlyFirst.filter(counts).map((one) => gradesRow(one, [one, null])),
    ...onlySecond.filter(counts).map((one) => gradesRow(one, [null, one])),
    ...(alike === 0 ? [] : [row('', { first: `${alike} more, graded alike`, second: `${alike} more, graded alike` })]),
    ...irrelevantRows(onlyFirst, onlySecond),
  ];
}

function gradesRow(one: ComparedPassage, [first, second]: [GradeOfRun | null, GradeOfRun | null]): Row {
  return { ...row('', { first: first && gradeOf(first), second: second && gradeOf(second) }), over: placeOf(one) };
}

function irrelevantRows(onlyFirst: GradeOfRun[], onlySecond: GradeOfRun[]): Row[] {
  const [first = 0, second = 0] = [onlyFirst, onlySecond].map((list) => list.filter((one) => !counts(one)).length);
  const said = (count: number) => (count === 0 ? null : `${count} irrelevant, found here only`);
  return first + second === 0 ? [] : [row('', { first: said(first), second: said(second) })];
}

function counts({ label, used }: GradeOfRun): boolean {
  return used || label !== 'irrelevant';
}

function gradeOf({ score, label, used }: GradeOfRun): string {
  return `${score === null ? '' : `${score.toFixed(2)} `}${label}${used ? ', used' : ''}`;
}

export function citationRows(citations: Comparison['citations']): Row[] {
  if (citations === null) return [];
  const rows = [
    ...citations.both.map((one) => row('', { first: cited(one), second: cited(one) })),
    ...citations.onlyFirst.map((one) => row('', { first: cited(one), second: null })),
    ...citations.onlySecond.map((one) => row('', { first: null, second: cited(one) })),
  ];
  const [first = row('', { first: 'none', second: 'none' }), ...others] = rows;
  return [{ ...first, label: 'citations' }, ...others];
}

function cited({ quote, page, title, section }: ComparedCitation): string {
  const short = quote.length > quoteCharacters ? `${quote.slice(0, quoteCharacters - 1).toWellFormed()}…` : quote;
  return `${placeOf({ title, section })}${page === null ? '' : `, page ${page}`}\n“${short}”`;
}

function placeOf({ title, section }: { title: string; section: string }): string {
  return [title, section].filter((part) => part !== '').join(' › ');
}
