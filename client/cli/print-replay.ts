import type { ReplayReport } from '../../domain/contracts/replay.ts';
import { colorsFor, printable, writeLines } from './output.ts';

/** What came of one id or file: a report, or why there is none. */
export type Replayed = { source: string } & ({ report: ReplayReport } | { problem: string });

const out = process.stdout;

/** One line for a history that replays; where and what else for one that does not. */
export function printReplay(entry: Replayed): void {
  const { red, green, dim } = colorsFor(out);
  const source = printable(entry.source);
  if ('problem' in entry) return writeLines(out, `${red('?')} ${source}  ${printable(entry.problem)}`);
  const { ok, workflowType, events, divergence } = entry.report;
  if (ok) return writeLines(out, `${green('✓')} ${source}  ${dim(`${workflowType}, ${events} events`)}`);
  writeLines(out, `${red('✗')} ${source}  ${dim(`${workflowType}, ${events} events`)}`);
  if (divergence === null) return;
  const { eventId, expected, found, message } = divergence;
  const place = eventId === null ? 'after its last event' : `at event ${eventId}`;
  writeLines(out, `${place} the history has ${printable(expected)}; the code comes to ${printable(found)}`, '  ');
  writeLines(out, dim(printable(message)), '  ');
}
