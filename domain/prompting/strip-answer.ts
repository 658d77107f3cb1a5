import { z } from 'zod';
import type { KeptStrip } from '../contracts/evidence.ts';
import type { Aspect } from '../contracts/question.ts';
import { bestFirst, keptStrip, reachedAspects, type ScoredStrip } from '../rules/strips.ts';
import { aspectIdSchema, namedAspects } from './aspects.ts';
import { entriesById } from './entries.ts';

const entrySchema = z.object({ id: z.string(), keep: z.boolean(), aspects: z.array(aspectIdSchema) });

/** What the model is asked for: an entry for every strip that is kept. */
export const stripAnswerSchema = z.object({ strips: z.array(entrySchema) });
/** What is taken: a wrong entry leaves its strip to the local scores, and spoils no other. */
export const stripAnswerAccepted = z.object({ strips: z.array(z.unknown()) });

const readEntrySchema = entrySchema.extend({ aspects: z.array(z.string()) });

/** Id of a strip within the prompt. */
export function stripLabel(index: number): string {
  return `s${index + 1}`;
}

/**
 * The strips that a model kept, strongest (by the local scores) first. `numbered` is the list as the model saw it. A strip with two entries or one
 * that is not of the schema is kept or dropped by the local scores.
 */
export function readKeptStrips(
  entries: readonly unknown[],
  numbered: readonly ScoredStrip[],
  aspects: readonly Aspect[],
): KeptStrip[] {
  const byId = entriesById(entries);
  return bestFirst(
    numbered.flatMap((candidate, index) => {
      const given = byId.get(stripLabel(index)) ?? [];
      if (given.length === 0) return [];
      const parsed = readEntrySchema.safeParse(given[0]);
      if (given.length === 1 && parsed.success) {
        const { keep, aspects: named } = parsed.data;
        return keep ? [keptStrip(candidate, namedAspects(named, aspects))] : [];
      }
      const reached = reachedAspects(candidate);
      return reached.length > 0 ? [keptStrip(candidate, reached)] : [];
    }),
  );
}
