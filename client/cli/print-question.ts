import type { Citation } from '../../domain/contracts/answer.ts';
import type { EndedView, QuestionView } from '../question-view.ts';
import { sourceLine } from '../source-line.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { colorsFor, printable, writeLines, writeUnbroken } from './output.ts';
import { printWaiting } from './print-waiting.ts';

const out = process.stdout;

/** What `ask` exits with. */
export function exitCodeOf({ status }: QuestionView): ExitCode {
  switch (status) {
    case 'answered':
    case 'partially_answered':
      return exitCodes.ok;
    case 'needs_clarification':
    case 'abstained':
    case 'denied':
    case 'awaiting_review':
      return exitCodes.withheld;
    case 'running':
    case 'failed':
    case 'cancelled':
      return exitCodes.failed;
  }
}

/** Prints how a question stands. */
export function printQuestion(view: QuestionView): void {
  const colors = colorsFor(out);
  switch (view.status) {
    case 'running':
      return writeLines(
        out,
        `The run still goes on${view.progress === 'available' && view.step ? ` (${view.step})` : ''}.`,
      );
    case 'awaiting_review':
      return printWaiting(view.id, view.review);
    case 'cancelled':
      return writeLines(out, colors.yellow('The run was cancelled.'));
    case 'failed':
      writeLines(out, colors.red(`The run failed: ${view.reason.code}`));
      return writeLines(out, printable(view.reason.message));
    default:
      return printEnded(view);
  }
}

function printEnded(view: EndedView): void {
  const colors = colorsFor(out);
  if (view.answer === null) {
    writeLines(out, colors.yellow(withheld[view.status]));
    if (view.reason) writeLines(out, printable(view.reason.message));
    if (view.ledger.length > 0)
      writeLines(out, colors.dim(`Tried: ${view.ledger.map(({ tier }) => tier).join(', ')}.`));
  } else {
    writeLines(out, printable(view.answer));
    if (view.limitation) writeLines(out, `\n${colors.yellow(`But: ${printable(view.limitation)}`)}`);
    if (view.citations.length > 0) out.write('\n');
    for (const citation of view.citations) printCitation(citation);
  }
}

function printCitation({ n, title, section, page, quote, ...source }: Citation): void {
  const colors = colorsFor(out);
  const place = [title, section, page === null ? '' : `page ${page}`].filter((part) => part !== '').map(printable);
  writeLines(out, `${colors.cyan(`[${n}]`)} ${colors.bold(place.join(' › '))}`);
  const from = sourceLine(source);
  if (from !== null) writeUnbroken(out, printable(from), '    ');
  writeLines(out, colors.dim(`“${printable(quote)}”`), '    ');
}

const withheld: Record<EndedView['status'], string> = {
  answered: 'Answered without text.',
  partially_answered: 'Answered without text.',
  needs_clarification: 'The question is not clear enough.',
  abstained: 'No answer: the documents do not support one.',
  denied: 'No answer: it was denied.',
};
