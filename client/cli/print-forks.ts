import type { QuestionSummary, QuestionView } from '../question-view.ts';
import { colorsFor, writeLines } from './output.ts';

const out = process.stdout;

/** Prints which run this one is a fork of, and its own forks. */
export function printForks({ id, forkOf }: QuestionView, forks: QuestionSummary[]): void {
  const { bold, dim } = colorsFor(out);
  if (forkOf !== null) {
    writeLines(out, `\n${bold('Fork of')} ${forkOf}`);
    writeLines(out, dim(`plumbline runs compare ${forkOf} ${id}`), '  ');
  }
  if (forks.length > 0) writeLines(out, `\n${bold('Forks')}`);
  for (const { id: fork, status, policy } of forks) writeLines(out, `${fork} ${status} ${policy ?? ''}`, '  ');
}
