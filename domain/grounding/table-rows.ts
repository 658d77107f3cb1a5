import type { Premise } from './premise.ts';
import { fails, shown, type Finding } from './rule.ts';

const separator = ' | ';

/**
 * A statement "Header: cell; Header: cell" rests on a row and its header row, both quoted (or the header in the context): each cell must
 * stand under the header that it is given. Null when the statement is not written so, or no row with its header is quoted.
 */
export function checkRow(text: string, premise: Premise): Finding | null {
  const lines = premise.quotes.flatMap((quote) => quote.text.split('\n'));
  const headers = [...lines, ...premise.quotes.flatMap((quote) => quote.source.context.split('\n'))];
  let wrong: string | null = null;
  for (const header of headers.map(cells)) {
    if (header.length < 2 || !isLabelled(text, header)) continue;
    for (const row of lines.map(cells)) {
      if (row.length !== header.length || row.every((cell, i) => cell === header[i])) continue;
      const rest = withoutPairs(text, header, row);
      if (rest === '') return { verdict: 'holds', note: 'a row of a table with its header' };
      wrong ??= rest;
    }
  }
  return wrong === null ? null : fails(`${shown(wrong)} is not in the row quoted`);
}

function cells(line: string): string[] {
  return line.includes(separator) ? line.split(separator).map((cell) => cell.replace(/^\|?\s*|\s*\|?$/g, '')) : [];
}

/** A column without a header has its cell alone. */
function isLabelled(text: string, header: readonly string[]): boolean {
  return header.some((name) => name !== '' && (text.startsWith(`${name}: `) || text.includes(`; ${name}: `)));
}

/** What is left of the statement when each "Header: cell" that the row supports is taken away. */
function withoutPairs(text: string, header: readonly string[], row: readonly string[]): string {
  const pairs = header
    .map((name, i) => (name === '' ? (row[i] ?? '') : `${name}: ${row[i] ?? ''}`))
    .filter((pair) => pair !== '')
    .sort((a, b) => b.length - a.length);
  let rest = text.trim();
  while (rest !== '') {
    const pair = pairs.find((one) => rest.startsWith(one) && /^(?:;\s|[.;]?$)/.test(rest.slice(one.length)));
    if (pair === undefined) return rest;
    rest = rest.slice(pair.length).replace(/^[.;]\s*/, '');
  }
  return rest;
}
