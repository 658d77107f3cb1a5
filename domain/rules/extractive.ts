import type { Citation, Statement } from '../contracts/answer.ts';
import type { Aspect } from '../contracts/question.ts';
import { CitationList, type QuotableStrip } from './citation-list.ts';

/** A second statement for an aspect may be this much less sure than the best one, in the logit of its score. */
const closeEnough = 1;
const perAspect = 2;

/**
 * An answer made of the sources' own sentences: for each aspect the best strip, and a second one when it is nearly as good. Conflicting strips
 * named in `always` are all stated. Statements keep the order of aspects; a statement used for two aspects stands once.
 */
export function composeExtract(
  strips: QuotableStrip[],
  aspects: Aspect[],
  options: { maxStatements: number; always: QuotableStrip[] },
): { statements: Statement[]; citations: Citation[] } {
  const chosen = new Set<QuotableStrip>(options.always);
  const queues = aspects.map((aspect) => candidates(strips, aspect.id));
  for (let turn = 0; turn < perAspect; turn++) {
    for (const queue of queues) {
      const best = queue[0];
      const next = queue[turn];
      if (!best || !next || chosen.size >= options.maxStatements) continue;
      if (turn === 0 || logit(best.score) - logit(next.score) <= closeEnough) chosen.add(next);
    }
  }
  const order = [...chosen].sort((a, b) => aspectOrder(a, aspects) - aspectOrder(b, aspects) || b.score - a.score);
  return cite(order);
}

function logit(score: number): number {
  const p = Math.min(0.999, Math.max(0.001, score));
  return Math.log(p / (1 - p));
}

function candidates(strips: QuotableStrip[], aspectId: string): QuotableStrip[] {
  const seen = new Set<string>();
  return strips
    .filter((strip) => strip.aspects.includes(aspectId))
    .sort((a, b) => b.score - a.score)
    .filter((strip) => {
      const key = strip.text.toLowerCase().replace(/\W+/g, ' ');
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}

function aspectOrder(strip: QuotableStrip, aspects: Aspect[]): number {
  const index = aspects.findIndex((aspect) => strip.aspects.includes(aspect.id));
  return index === -1 ? aspects.length : index;
}

function cite(strips: QuotableStrip[]): { statements: Statement[]; citations: Citation[] } {
  const list = new CitationList();
  const statements = strips.map((strip) => {
    const labelled = strip.kind === 'row' && strip.header ? labelCells(strip.text, strip.header.text) : null;
    return { text: labelled ?? strip.text, citations: labelled ? list.citeWithHeader(strip) : [list.cite(strip)] };
  });
  return { statements, citations: list.all };
}

/** "Model: H60; Torque: 610 Nm" out of a row and its header, cell by cell; null when they do not fit each other. */
export function labelCells(row: string, header: string): string | null {
  const cells = row.split(' | ');
  const labels = header.split(' | ');
  if (cells.length !== labels.length || cells.length < 2) return null;
  const pairs = cells.flatMap((cell, i) => {
    const label = labels[i]?.trim() ?? '';
    const value = cell.trim();
    if (value === '') return [];
    return [label === '' ? value : `${label}: ${value}`];
  });
  return pairs.length > 0 ? pairs.join('; ') : null;
}

/** The answer as one text: every statement followed by its citation numbers. */
export function answerText(statements: Statement[]): string {
  return statements.map(({ text, citations }) => `${text} ${citations.map((n) => `[${n}]`).join('')}`).join('\n');
}

/** Only the citations that the statements use, numbered from 1 in their order. */
export function renumber(
  statements: Statement[],
  citations: Citation[],
): { statements: Statement[]; citations: Citation[] } {
  const used = citations.filter(({ n }) => statements.some((statement) => statement.citations.includes(n)));
  const numbers = new Map(used.map(({ n }, index) => [n, index + 1]));
  return {
    statements: statements.map(({ text, citations: cited }) => ({
      text,
      citations: cited.flatMap((n) => numbers.get(n) ?? []),
    })),
    citations: used.map((citation, index) => ({ ...citation, n: index + 1 })),
  };
}
