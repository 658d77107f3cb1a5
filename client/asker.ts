import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Access } from '../domain/contracts/access.ts';
import type { QuestionRequest } from '../domain/contracts/question.ts';

/** Noted with a run at its start: what was asked, by whom with which rights, and a hash of the request. */
const askedMemoSchema = z.object({
  question: z.string(),
  user: z.string(),
  groups: z.array(z.string()),
  request: z.string(),
});
export type AskedMemo = z.infer<typeof askedMemoSchema>;

export function askedMemo(access: Access, request: QuestionRequest): AskedMemo {
  return { question: request.question, user: access.user, groups: access.groups, request: requestHash(request) };
}

/**
 * The memo of a run, if this reader may see the run: it may hold what its asker could read, so only those see it who have all the groups that
 * the asker had. Null otherwise, and for a run that was not started as a question.
 */
export function readableMemo(reader: Access, memo: Record<string, unknown> | undefined): AskedMemo | null {
  const parsed = askedMemoSchema.safeParse(memo);
  if (!parsed.success) return null;
  return parsed.data.groups.every((group) => reader.groups.includes(group)) ? parsed.data : null;
}

/** The same user and key give the same id; everybody else with that key has another. Without a key every id is new. */
export function questionId(access: Access, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return randomUUID();
  return createHash('sha256')
    .update(JSON.stringify([access.tenant, access.user, idempotencyKey]))
    .digest('hex')
    .slice(0, 32);
}

function requestHash(request: QuestionRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([request.question, request.policy ?? null]))
    .digest('hex');
}
