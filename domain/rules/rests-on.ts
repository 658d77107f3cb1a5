import type { Outcome } from '../contracts/answer.ts';

/** Whether a statement of an answer has no source but these documents: without them it would not be a full answer. */
export function restsOn({ statements, citations }: Outcome, documentIds: ReadonlySet<string>): boolean {
  const from = new Map(citations.map(({ n, documentId }) => [n, documentId]));
  return statements.some((statement) => statement.citations.every((n) => documentIds.has(from.get(n) ?? '')));
}
