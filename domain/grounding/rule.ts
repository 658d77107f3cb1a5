import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';

/** What a rule says of a statement: why it fails, or what a reader should know although it holds. */
export type Finding = { verdict: 'fails'; reason: string } | { verdict: 'holds'; note: string };

/** Null: the rule has nothing to object. */
export type Rule = (statement: Reading, premise: Premise) => Finding | null;

export const fails = (reason: string): Finding => ({ verdict: 'fails', reason });

const longest = 60;

/** A value as it appears in a reason: in quotation marks, never long. */
export function shown(value: string): string {
  const flat = value.replace(/\s+/g, ' ').trim();
  return `"${flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat}"`;
}
