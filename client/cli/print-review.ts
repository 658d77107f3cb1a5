import type { TrailEntry } from '../../domain/contracts/review.ts';
import type { ReadEvidence, ReadReview } from '../review-view.ts';
import { sourceLine } from '../source-line.ts';
import { colorsFor, printable, writeLines, writeUnbroken } from './output.ts';
import { minute, standing } from './print-waiting.ts';

const out = process.stdout;

/** Prints all that a reviewer needs to decide. */
export function printReview(review: ReadReview): void {
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
      ({ documentIds, values }) => `${documentIds[0]}: ${values[0]}; ${documentIds[1]}: ${values[1]}`,
    ),
  );
  printList(
    'Tried',
    review.ledger.map(({ tier, query, found, verdict, note }) =>
      [`${tier}: ${found} new, then ${verdict}`, query, note ?? ''].filter((part) => part !== '').join('; '),
    ),
  );
  if (review.draft !== null) {
    writeLines(out, bold('Draft'));
    writeLines(out, printable(review.draft.answer), '  ');
  }
  if (review.evidence.length > 0) writeLines(out, bold('Evidence'));
  for (const evidence of review.evidence) printEvidence(evidence);
  writeLines(out, bold('Trail'));
  for (const entry of review.trail) writeLines(out, trailLine(entry), '  ');
  if (review.finalState === null && review.state !== 'continuing') printWays(review);
}

function stateOf(review: ReadReview): string {
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
  writeLines(out, `${score?.toFixed(2) ?? '   –'} ${label.padEnd(10)} ${place}${gone ? yellow(' (gone)') : ''}`, '  ');
  const from = sourceLine(source);
  if (from !== null) writeUnbroken(out, printable(from), '       ');
  const quoted = quotes.flatMap((quote) => quote.text ?? []);
  for (const quote of quoted) writeLines(out, dim(`“${printable(quote)}”`), '       ');
  if (quoted.length === 0 && label !== 'irrelevant') writeLines(out, dim(opening(text ?? snippet)), '       ');
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
  // Whoever is named was refused, and has not refused anything.
  if (action === 'refused') return `${minute(at)}  ${deed} to ${who || 'somebody'}${said}`;
  const change = from !== null && to !== null && from !== to ? ` (${from} → ${to})` : '';
  return `${minute(at)}  ${who === '' ? '' : `${who} `}${deed}${change}${said}`;
}

function printWays({ id, state }: ReadReview): void {
  const ways = state === 'proposed' ? 'approve|decline' : 'confirm|answer|add-evidence|retry|reject';
  out.write('\n');
  writeUnbroken(out, `Decide: plumbline review decide ${id} ${ways}`);
}
