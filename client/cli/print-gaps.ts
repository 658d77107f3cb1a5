import type { GapGroup, GapReport } from '../../domain/contracts/gaps.ts';
import { colorsFor, printable, writeLines } from './output.ts';

const out = process.stdout;

/** Prints each group with how often it was asked, why it was not answered, and what would close it; what is left out goes to standard error. */
export function printGaps(report: GapReport, { all }: { all: boolean }): void {
  report.groups.forEach(printGroup);
  writeLines(process.stderr, summaryOf(report, all).join(' '));
}

function summaryOf({ questions, since, truncated, omitted }: GapReport, all: boolean): string[] {
  const when = `asked since ${since.slice(0, 10)}`;
  if (questions === 0) return [`Every question ${when} was answered from the documents.`];
  const more = omitted.open + (all ? omitted.closed : 0);
  return [
    `${counted(questions, 'question')} ${when}: not answered, or not without a person.`,
    ...(truncated ? ['There were more; the newest were looked at.'] : []),
    ...(more > 0 ? [`${counted(more, 'more group')}: --limit shows them.`] : []),
    ...(omitted.closed > 0 && !all ? [`${counted(omitted.closed, 'group')} closed meanwhile: --all shows them.`] : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function printGroup({ question, count, lastAsked, closes, closed, ...group }: GapGroup): void {
  const { bold, dim, green } = colorsFor(out);
  writeLines(
    out,
    `${bold(`${count}×`)} ${bold(printable(question).replaceAll('\n', ' '))}${closed ? green(' closed') : ''}`,
  );
  writeLines(out, dim(`${countsOf(group)}; last asked ${lastAsked.slice(0, 10)}`), '   ');
  for (const way of closes) writeLines(out, `→ ${printable(way)}`, '   ');
}

function countsOf({
  abstained,
  partlyAnswered,
  reviewed,
  reasons,
}: Pick<GapGroup, 'abstained' | 'partlyAnswered' | 'reviewed' | 'reasons'>): string {
  const counts: [number, string][] = [
    [abstained, 'abstained'],
    [partlyAnswered, 'answered in part'],
    [reviewed, 'reviewed'],
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const why = reasons.map(({ code, count }) => `${code} ${count}`).join(', ');
  return [said.join(', '), ...(why === '' ? [] : [`(${why})`])].join(' ');
}
