import { z } from 'zod';
import type { Aspect } from '../contracts/question.ts';

/** As an enum that is the same for every question, so that providers compile the schema once. */
export const aspectIdSchema = z.enum(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']);

/** The aspects as lines `a1: …`. */
export function aspectLines(aspects: readonly Aspect[]): string {
  return aspects.map(({ id, text }) => `${id}: ${text.replace(/\s+/g, ' ')}`).join('\n');
}

/**
 * Those of the question's aspects that a model named, in the question's order; what was not asked is left out. What serves a question with a
 * single aspect serves that one.
 */
export function namedAspects(named: readonly string[], aspects: readonly Aspect[]): string[] {
  if (aspects.length === 1) return aspects.map(({ id }) => id);
  return aspects.map(({ id }) => id).filter((id) => named.includes(id));
}
