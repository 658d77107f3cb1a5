import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Access } from '../domain/contracts/access.ts';
import type { ForkRequest } from '../domain/contracts/fork.ts';
import type { QuestionRequest } from '../domain/contracts/question.ts';

/** Noted with a run at its start: what was asked, by whom with which rights, a hash of the request, and which question it is a fork of. */
const askedMemoSchema = z.object({
  question: z.string(),
  user: z.string(),
  /** Temporal keeps no empty list in a memo. */
  groups: z.array(z.string()).default([]),
  request: z.string(),
  forkOf: z.string().optional(),
});
export type AskedMemo = z.infer<typeof askedMemoSchema>;

export function askedMemo(access: Access, request: QuestionRequest): AskedMemo {
  const { question, policy = null } = request;
  return { question, user: access.user, groups: access.groups, request: hashOf([question, policy]) };
}

/** Of a fork, which has its own asker's rights. The hash is none that an asked question can have. */
export function forkMemo(access: Access, original: { id: string; memo: AskedMemo }, request: ForkRequest): AskedMemo {
  const { policy = null, models = {} } = request;
  const players = Object.entries(models).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    question: original.memo.question,
    user: access.user,
    groups: access.groups,
    request: hashOf(['fork', original.id, policy, players]),
    forkOf: original.id,
  };
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

function hashOf(request: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
