import type { Usage } from '../../domain/contracts/answer.ts';
import type { QuestionView } from '../question-view.ts';
import { sourceLine } from '../source-line.ts';
import { colorsFor, printable, writeAddress, writeLines, writeUnbroken } from './output.ts';
import { printFailures } from './print-remarks.ts';

const out = process.stdout;

/** Prints how a run came to its outcome: evidence with grades, corrections, times, model calls, where it is. */
export function printStory(view: QuestionView): void {
  const { dim, bold } = colorsFor(out);
  if ('evidence' in view) {
    writeLines(
      out,
      `\n${bold('Verdict')} ${view.verdict ?? 'none yet'}, evidence ${view.quality?.status ?? 'not graded yet'}`,
    );
    if (view.evidence.length > 0) writeLines(out, bold('Evidence'));
    for (const { score, label, title, section, used, ...source } of view.evidence) {
      const place = printable([title, section].filter(Boolean).join(' › '));
      writeLines(out, `${used ? '*' : ' '} ${score?.toFixed(2) ?? '   –'} ${label.padEnd(10)} ${place}`, '  ');
      const from = sourceLine(source);
      if (from !== null) writeUnbroken(out, dim(printable(from)), ' '.repeat(20));
    }
    if (view.ledger.length > 0) writeLines(out, bold('Corrections'));
    for (const { tier, query, found, verdict, note } of view.ledger) {
      writeLines(out, `${tier}: ${found} new, then ${verdict} ${dim(printable(query))}`, '  ');
      if (note !== null) writeLines(out, dim(printable(note)), '    ');
    }
    if ('degraded' in view && view.degraded.length > 0) {
      writeLines(out, bold('Failures'));
      printFailures(view.degraded, '  ');
    }
    const steps = 'totalMs' in view.timings ? view.timings.steps : view.timings;
    writeLines(out, `${bold('Times')} ${steps.map(({ step, ms }) => `${step} ${Math.round(ms)} ms`).join(', ')}`);
  }
  if ('usage' in view && view.usage !== null) printCalls(view.usage);
  writeAddress(out, '', view.run.url ?? view.run.workflowId);
}

function printCalls({ calls, costUsd, estimated }: Usage): void {
  if (calls.length === 0) return;
  const { bold, dim } = colorsFor(out);
  writeLines(out, `${bold('Model calls')} $${costUsd.toFixed(6)}${estimated ? ' (estimated)' : ''}`);
  for (const call of calls) {
    const price = call.costUsd === null ? 'price unknown' : `$${call.costUsd.toFixed(6)}`;
    const tokens = `${call.inputTokens} tokens in, ${call.outputTokens} out${call.estimated ? ' (estimated)' : ''}`;
    const who = `${call.step} ${printable(call.model)} ${dim(call.prompt)}`;
    writeLines(out, `${who} ${tokens}, ${price}, ${Math.round(call.ms)} ms`, '  ');
  }
}
