import type { TrailEntry } from '../../domain/contracts/review.ts';
import type { ReadEvidence } from '../review-view.ts';
import type { ShownDraft, ShownReview } from '../shown-review.ts';
import { sourceLine } from '../source-line.ts';
import { colorsFor, printable, writeLines, writeUnbroken } from './output.ts';
import { minute, standing } from './print-waiting.ts';

const out = process.stdout;

const notOpen = '(no longer there, or not open to you)';

/** Prints all that a reviewer needs to decide. */
export function printReview(review: ShownReview): void {
  const { bold, dim, yellow } = colorsFor(out);
  writeLines(out, bold(printable(review.question)));
  writeLines(out, dim(`asked by ${printable(review.user)}, ${minute(review.askedAt)}`));
  writeLines(out, yellow(stateOf(review)));
  writeLines(out, `\n${bold('Without a reviewer')} ${review.status.replaceAll('_', ' ')}`);
  if (review.message !== null) writeLines(out, printable(review.message), '  ');
  if (review.limitation !== null) writeLines(out, printable(review.limitation), '  ');
  printList('Without evidence', review.missingAspects);
  printList(
    'Sources that disagree',
    review.conflicts.map(
      ({ documentIds, values: [one, other] }) =>
        `${documentIds[0]}: ${one || notOpen}; ${documentIds[1]}: ${other || notOpen}`,
    ),
  );
  printList(
    'Tried',
    review.ledger.map(({ tier, query, found, verdict, note }) =>
      [`${tier}: ${found} new, then ${verdict}`, query, note ?? ''].filter((part) => part !== '').join('; '),
    ),
  );
  if (review.draft !== null) printDraft(review.draft);
  if (review.evidence.length > 0) writeLines(out, bold('Evidence'));
  for (const evidence of review.evidence) printEvidence(evidence);
  writeLines(out, bold('Trail'));
  for (const entry of review.trail) writeLines(out, trailLine(entry), '  ');
  if (review.finalState === null && review.state !== 'continuing') printWays(review);
}

/** With a part withheld there is no whole answer: what is left is told statement by statement. */
function printDraft({ answer, statements }: ShownDraft): void {
  writeLines(out, colorsFor(out).bold('Draft'));
  const lines = answer === null ? statements.map(({ text }) => text ?? notOpen) : [answer];
  for (const line of lines) writeLines(out, printable(line), '  ');
}

function stateOf(review: ShownReview): string {
  const { finalState } = review;
  if (finalState === null) return standing(review);
  const { status, decided } = finalState;
  const by = decided === null ? '' : `, decided by ${printable(decided.by)} ("${decided.kind}") ${minute(decided.at)}`;
  return `over: ${status.replaceAll('_', ' ')}${by}`;
}

function printList(title: string, lines: string[]): void {
  if (lines.length === 0) return;
  writeLines(out, colorsFor(out).bold(title));
  for (const line of lines) writeLines(out, printable(line), '  ');
}

function printEvidence({ score, label, title, section, quotes, text, gone, snippet, ...source }: ReadEvidence): void {
  const { dim, yellow } = colorsFor(out);
  const place = printable([title, section].filter(Boolean).join(' › '));
  const state = gone ? yellow(` ${notOpen}`) : '';
  writeLines(out, `${score?.toFixed(2) ?? '   –'} ${label.padEnd(10)} ${place}${state}`, '  ');
  const from = sourceLine(source);
  if (from !== null) writeUnbroken(out, printable(from), '       ');
  const quoted = quotes.flatMap((quote) => quote.text ?? []);
  for (const quote of quoted) writeLines(out, dim(`“${printable(quote)}”`), '       ');
  if (quoted.length === 0 && !gone && label !== 'irrelevant') writeLines(out, dim(opening(text ?? snippet)), '       ');
}

/** Whole passages are long, and the page is for deciding which of them to read. */
function opening(text: string): string {
  const line = printable(text).replace(/\s+/g, ' ');
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

function trailLine({ at, actor, action, decision, from, to, note }: TrailEntry): string {
  const who = actor === null ? '' : printable(actor);
  const deed = decision === null ? action : `${action} ${decision}`;
  const said = note === null ? '' : `: ${printable(note)}`;
  // Whoever is named was refused, and has not refused anything. Without a decision the note begins with what was asked.
  if (action === 'refused') {
    const [, asked = '', why = ''] =
      /^(?:(\w+): )?(.*)$/s.exec(decision === null ? (note ?? '') : `${decision}: ${note ?? ''}`) ?? [];
    return `${minute(at)}  refused ${asked} to ${who || 'somebody'}: ${printable(why)}`;
  }
  const change = from !== null && to !== null && from !== to ? ` (${from} → ${to})` : '';
  return `${minute(at)}  ${who === '' ? '' : `${who} `}${deed}${change}${said}`;
}

function printWays({ id, state }: ShownReview): void {
  const ways = state === 'proposed' ? 'approve|decline' : 'confirm|answer|add-evidence|retry|reject';
  out.write('\n');
  writeUnbroken(out, `Decide: plumbline review decide ${id} ${ways}`);
}
