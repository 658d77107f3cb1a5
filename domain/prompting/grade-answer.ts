import { z } from 'zod';
import type { Grade } from '../contracts/evidence.ts';
import type { Policy } from '../contracts/policy.ts';
import type { Aspect } from '../contracts/question.ts';
import { labelOf, roundedScore, uncertainGrade } from '../rules/grade.ts';
import { aspectIdSchema, namedAspects } from './aspects.ts';
import { entriesById } from './entries.ts';

const findings = {
  full: 'states the answer',
  partial: 'states part of the answer',
  topic: 'is on the subject, without the fact asked for',
  none: 'is about something else',
} as const;
const findingSchema = z.enum(['full', 'partial', 'topic', 'none']);

const entrySchema = z.object({
  id: z.string(),
  score: z.number(),
  finding: findingSchema,
  aspects: z.array(aspectIdSchema),
});

/** What the model is asked for. The reason is one of four: free words would be a way out for text that hides in a passage. */
export const gradeAnswerSchema = z.object({ grades: z.array(entrySchema) });
/** What is taken: a wrong entry spoils its passage's grade, not the others'. */
export const gradeAnswerAccepted = z.object({ grades: z.array(z.unknown()) });

const readEntrySchema = entrySchema.extend({ aspects: z.array(z.string()) });

/** Id of a passage within the prompt. */
export function passageLabel(index: number): string {
  return `p${index + 1}`;
}

/**
 * One grade a passage, in order, from a model's entries. A passage that has no entry, two, or one that is not of the schema, out of range or at odds
 * with itself is uncertain: a score is never clamped and never guessed. `judge` is the model's id, for the reason.
 */
export function readGrades(
  entries: readonly unknown[],
  { evidenceIds, aspects, judge }: { evidenceIds: readonly string[]; aspects: readonly Aspect[]; judge: string },
  limits: Policy['grading'],
): Grade[] {
  const byId = entriesById(entries);
  return evidenceIds.map((evidenceId, index) => {
    const uncertain = (fault: string) => uncertainGrade(evidenceId, `${judge}: ${fault}`);
    const given = byId.get(passageLabel(index)) ?? [];
    if (given.length === 0) return uncertain('no grade was given');
    if (given.length > 1) return uncertain('more than one grade was given');
    const parsed = readEntrySchema.safeParse(given[0]);
    if (!parsed.success) return uncertain('the grade is not of the schema');
    const { score, finding, aspects: named } = parsed.data;
    if (!(score >= 0 && score <= 1)) return uncertain('the score is out of range');
    const label = labelOf(score, limits);
    if ((label === 'relevant' && finding === 'none') || (label === 'irrelevant' && finding === 'full'))
      return uncertain('the score and the finding contradict each other');
    return {
      evidenceId,
      score: roundedScore(score),
      label,
      aspects: label === 'relevant' ? namedAspects(named, aspects) : [],
      reason: `${judge}: ${findings[finding]}`,
    };
  });
}
