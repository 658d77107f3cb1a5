import { z } from 'zod';
import { addressesIn, embeddedIn } from '../text/links.ts';
import type { Grounding, Statement } from '../contracts/answer.ts';

const verdictSchema = z.object({ statement: z.number(), supported: z.boolean(), reason: z.string() });

/** What the model is asked for. */
export const verdictAnswerSchema = z.object({ verdicts: z.array(verdictSchema) });
/** What is taken: a wrong entry fails its statement, not the others. */
export const verdictAnswerAccepted = z.object({ verdicts: z.array(z.unknown()) });

const numbered = z.object({ statement: z.number() });
/** In UTF-16 code units. */
const longestReason = 200;

/** The statements as lines `1 (c1, c2): …`, numbered from 1 in their order. */
export function statementLines(statements: readonly Statement[]): string {
  return statements
    .map(({ text, citations }, index) => {
      const sources = citations.map(citationLabel).join(', ');
      return `${index + 1} (${sources}): ${text.replace(/\s+/g, ' ').trim()}`;
    })
    .join('\n');
}

/** Id of a citation within the prompt. */
export function citationLabel(n: number): string {
  return `c${n}`;
}

/**
 * One judgement a statement, in order. Not supported is, too, what has no verdict, one that is not of the schema, or verdicts that differ. `judge`
 * is the model's id, for the reason.
 */
export function readVerdicts(
  entries: readonly unknown[],
  { count, judge }: { count: number; judge: string },
): Grounding['statements'] {
  return Array.from({ length: count }, (_, index) => {
    const own = entries.filter((entry) => numbered.safeParse(entry).data?.statement === index + 1);
    const refused = (fault: string) => ({ supported: false, reason: `${judge}: ${fault}` });
    if (own.length === 0) return refused('no verdict was given');
    const parsed = own.map((entry) => verdictSchema.safeParse(entry));
    if (parsed.some(({ success }) => !success)) return refused('the verdict is not of the schema');
    const against = parsed.find(({ data }) => data?.supported === false)?.data;
    if (against) return refused(plainReason(against.reason));
    return { supported: true, reason: `${judge}: supported by its quotes` };
  });
}

/** In one short line. What a text that hides in a quote could have put there, an address or an image, is not passed on. */
function plainReason(reason: string): string {
  const line = reason
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '' || addressesIn(line).length > 0 || embeddedIn(line).length > 0) return 'not supported by its quotes';
  return line.length > longestReason ? `${line.slice(0, longestReason - 1).toWellFormed()}…` : line;
}
