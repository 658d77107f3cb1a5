import { shortened } from '../../domain/text/shortened.ts';
import type { QuestionSummary } from '../question-view.ts';
import type { RunFilter } from './list-runs.ts';
import { colorsFor, printable, writeLines } from './output.ts';

export interface ManyFlags extends Pick<RunFilter, 'type' | 'since'> {
  reason?: string;
  perSecond: number;
  json: boolean;
}

/** A failed run and where it would go on; `problem`: why it would not. */
export interface PlannedRun {
  run: QuestionSummary;
  from: string | null;
  problem: string | null;
}

const out = process.stdout;

/** Prints a table of the runs that would be resumed, those that would not with the reason, and the command that does it. */
export function printPlan(planned: PlannedRun[], flags: ManyFlags): void {
  if (planned.length === 0) return void process.stderr.write('There are no such runs.\n');
  const { dim, red } = colorsFor(out);
  const rows = planned.map(({ run, from }) => [
    run.id,
    (run.endedAt ?? '').slice(0, 19).replace('T', ' '),
    run.reason ?? 'unknown',
    from ?? '–',
    shortened(printable(run.question), 60),
  ]);
  const head = ['Run', 'Failed', 'Reason', 'From', 'Question'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((word, column) => word.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  writeLines(out, dim(line(head)));
  for (const row of rows) out.write(`${line(row)}\n`);
  const refused = planned.filter(({ problem }) => problem !== null);
  for (const { run, problem } of refused) writeLines(out, `${red('✗')} ${run.id}: ${printable(problem ?? '')}`);
  const count = planned.length - refused.length;
  writeLines(process.stderr, `\n${count} ${count === 1 ? 'run' : 'runs'} would be resumed. To do it:`);
  writeLines(process.stderr, commandOf(flags), '  ');
}

function commandOf({ type, since, perSecond, reason }: ManyFlags): string {
  return [
    'plumbline runs resume --failed',
    ...(type === undefined ? [] : [`--type ${type}`]),
    ...(since === undefined ? [] : [`--since ${since}`]),
    ...(reason === undefined ? [] : [`--reason ${quoted(reason)}`]),
    ...(perSecond === 5 ? [] : [`--per-second ${perSecond}`]),
    '--yes',
  ].join(' ');
}

function quoted(text: string): string {
  return `'${printable(text).replaceAll("'", `'\\''`)}'`;
}
