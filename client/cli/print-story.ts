import type { QuestionView } from '../question-view.ts';
import { colorsFor, printable, writeAddress, writeLines } from './output.ts';

const out = process.stdout;

/** Prints how a run came to its outcome: evidence with grades, corrections, times, where it is. */
export function printStory(view: QuestionView): void {
  const { dim, bold } = colorsFor(out);
  if ('evidence' in view) {
    writeLines(
      out,
      `\n${bold('Verdict')} ${view.verdict ?? 'none yet'}, evidence ${view.quality?.status ?? 'not graded yet'}`,
    );
    if (view.evidence.length > 0) writeLines(out, bold('Evidence'));
    for (const { score, label, title, section, used } of view.evidence) {
      const place = printable([title, section].filter(Boolean).join(' › '));
      writeLines(out, `${used ? '*' : ' '} ${score?.toFixed(2) ?? '   –'} ${label.padEnd(10)} ${place}`, '  ');
    }
    if (view.ledger.length > 0) writeLines(out, bold('Corrections'));
    for (const { tier, query, found, verdict } of view.ledger) {
      writeLines(out, `${tier}: ${found} new, then ${verdict} ${dim(printable(query))}`, '  ');
    }
    const steps = 'totalMs' in view.timings ? view.timings.steps : view.timings;
    writeLines(out, `${bold('Times')} ${steps.map(({ step, ms }) => `${step} ${Math.round(ms)} ms`).join(', ')}`);
  }
  writeAddress(out, '', view.run.url ?? view.run.workflowId);
}
