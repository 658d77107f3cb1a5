import type { Degradation } from '../../domain/contracts/answer.ts';
import type { QuestionView } from '../question-view.ts';
import { colorsFor, printable, writeLines } from './output.ts';

const out = process.stdout;

/** What a reader of an outcome must know beside it: what its searches have noted, and which steps failed. */
export function printRemarks(view: QuestionView): void {
  if (!('degraded' in view)) return;
  const notes = view.ledger.flatMap(({ tier, note }) => (note === null ? [] : [`${tier}: ${printable(note)}`]));
  if (notes.length + view.degraded.length > 0) out.write('\n');
  for (const note of notes) writeLines(out, colorsFor(out).dim(note));
  printFailures(view.degraded);
}

/** Steps that failed for good, why, and what was done instead. */
export function printFailures(degraded: readonly Degradation[], indent = ''): void {
  for (const { step, reason, instead } of degraded)
    writeLines(
      out,
      colorsFor(out).yellow(`${step} failed (${printable(reason)}); used instead: ${printable(instead)}`),
      indent,
    );
}
