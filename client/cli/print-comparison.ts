import type { Sides } from '../../domain/contracts/comparison.ts';
import type { RunComparison } from '../compared-run.ts';
import { citationRows, evidenceRows } from './comparison-lists.ts';
import { printTwoColumns, row, type Row } from './two-columns.ts';

const out = process.stdout;

/** Prints two runs side by side, on standard output, under these names. */
export function printComparison(comparison: RunComparison, [first, second]: [string, string]): void {
  const { ids, question, quality, reason, corrections, degraded, totalMs } = comparison;
  const rows = [
    ...(question.first === question.second ? [] : [row('question', question)]),
    row('policy', comparison.policy),
    ...Object.entries(comparison.models ?? {}).map(([role, players]) => row(role, players)),
    row('status', comparison.status),
    ...whereAny(
      'reason',
      shown(reason, ({ code, message }) => `${code}: ${message}`),
    ),
    row('verdict', comparison.verdict),
    row(
      'evidence',
      shown(quality, ({ status, missingAspects }) =>
        lines([status, ...missingAspects.map((text) => `missing: ${text}`)]),
      ),
    ),
    ...evidenceRows(comparison.evidence),
    row('answer', comparison.answer),
    ...whereAny('limitation', comparison.limitation),
    ...citationRows(comparison.citations),
    row(
      'corrections',
      shown(corrections, (tiers) => tiers.join(', ') || 'none'),
    ),
    ...whereAny(
      'failures',
      shown(degraded, (steps) =>
        lines(steps.map(({ step, reason: why, instead }) => `${step}: ${why}, so ${instead}`)),
      ),
    ),
    costRow(comparison),
    ...tokenRows(comparison),
    // Two runs never take the same time: that is no difference to look at.
    {
      ...row(
        'time',
        shown(totalMs, (ms) => `${Math.round(ms)} ms`),
      ),
      changed: false,
    },
  ];
  const width = Math.max(first.length, second.length);
  out.write(`${first.padEnd(width)} ${ids.first}\n${second.padEnd(width)} ${ids.second}\n\n`);
  printTwoColumns(out, [first, second], rows);
}

function shown<T>({ first, second }: Sides<T>, show: (value: T) => string | null): Sides<string> {
  return { first: first === null ? null : show(first), second: second === null ? null : show(second) };
}

function lines(texts: string[]): string | null {
  return texts.length > 0 ? texts.join('\n') : null;
}

/** Nothing where both sides are empty. */
function whereAny(label: string, sides: Sides<string>): Row[] {
  return sides.first === null && sides.second === null ? [] : [row(label, sides)];
}

function costRow({ costUsd }: RunComparison): Row {
  const { difference, estimated } = costUsd;
  const dollars = (usd: number) => `$${Math.abs(usd).toFixed(6)}`;
  const more = difference ? ` (${difference > 0 ? '+' : '−'}${dollars(difference)})` : '';
  const cost = (side: 'first' | 'second', after = '') =>
    costUsd[side] === null ? null : `${dollars(costUsd[side])}${after}${estimated[side] ? '\nestimated' : ''}`;
  return row('cost', { first: cost('first'), second: cost('second', more) });
}

function tokenRows({ tokens: { input, output } }: RunComparison): Row[] {
  const spent = (side: 'first' | 'second') =>
    input[side] === null ? null : `${input[side]} in, ${output[side] ?? 0} out`;
  const any = [input, output].some(({ first, second }) => Boolean(first) || Boolean(second));
  return any ? [row('tokens', { first: spent('first'), second: spent('second') })] : [];
}
