import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';

/** `value` null: could not be measured, which never holds. */
export interface Figure {
  figure: string;
  value: number | null;
  target: string;
  holds: boolean;
}

export type Bound = { atLeast: number } | { atMost: number } | 'reported';

/** The figures of one benchmark, printed as they come and written to bench/results/NAME.json at the end. */
export interface Report {
  add(figure: string, value: number, bound: Bound): void;
  /** A figure that cannot be measured here, and why: printed, and counted as not holding. */
  missing(figure: string, why: string): void;
  /** A line of explanation, not a figure. */
  note(line: string): void;
  /** Prints the table, writes the file and sets the exit code: 0 only when all figures hold. */
  finish(): Promise<void>;
}

export function createReport(name: string): Report {
  const figures: Figure[] = [];
  const note = (line: string) => console.log(line);
  note(`bench ${name} (load of the machine at the start: ${loadavg()[0]?.toFixed(1)})`);
  return {
    note,
    add(figure, value, bound) {
      const rounded = Number(value.toPrecision(4));
      figures.push({ figure, value: rounded, target: targetOf(bound), holds: holds(rounded, bound) });
      note(`  ${figure}: ${rounded} (${targetOf(bound)})`);
    },
    missing(figure, why) {
      figures.push({ figure, value: null, target: why, holds: false });
      note(`  ${figure}: not measured, ${why}`);
    },
    async finish() {
      note(`\n${table(figures)}`);
      const folder = join(import.meta.dirname, 'results');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`);
      process.exitCode = figures.every((figure) => figure.holds) ? 0 : 1;
    },
  };
}

function holds(value: number, bound: Bound): boolean {
  if (bound === 'reported') return Number.isFinite(value);
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

function targetOf(bound: Bound): string {
  if (bound === 'reported') return 'reported';
  return 'atLeast' in bound ? `>= ${bound.atLeast}` : `<= ${bound.atMost}`;
}

function table(figures: Figure[]): string {
  const rows = [
    ['figure', 'value', 'target', 'holds'],
    ...figures.map(({ figure, value, target, holds }) => [
      figure,
      value === null ? '–' : String(value),
      target,
      holds ? 'yes' : 'NO',
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
