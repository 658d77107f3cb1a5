import type { Citation, Outcome } from '../contracts/answer.ts';
import type { DecisionKind } from '../contracts/review-policy.ts';
import type { Reviewed, ReviewedText } from '../contracts/publication.ts';
import type { ReviewRecord } from '../contracts/review.ts';

type Reviewable = Pick<Outcome, 'status' | 'statements' | 'citations' | 'review'>;

/**
 * What of an ended run can become a document: the answer that a reviewer gave, or else the evidence of reviewers that its answer cites, whatever was
 * decided after that. `why`: what the run is instead, in words that go on after "it cannot be published: ".
 */
export function publishable({ status, statements, citations, review }: Reviewable): Reviewed | { why: string } {
  if (status !== 'answered' && status !== 'partially_answered') return { why: `its run ended ${words(status)}` };
  if (review === null) return { why: 'no reviewer had a part in its answer' };
  const given = citations.filter(({ origin }) => origin === 'reviewer');
  const kind = review.decided?.kind === 'answer' ? 'answer' : 'addEvidence';
  const decision = decisionOf(review, kind);
  if (given.length === 0 || decision === null)
    return { why: `its answer rests on nothing that a reviewer gave${howDecided(review)}` };
  const text: ReviewedText =
    kind === 'answer'
      ? { kind, statements: statements.map((statement) => statement.text), sources: sourcesOf(given) }
      : { kind: 'evidence', passages: [...new Set(given.map(({ evidenceId }) => evidenceId))] };
  const corpus = citations.filter(({ origin }) => origin === 'corpus').map(({ documentId }) => documentId);
  return { text, ...decision, citedDocuments: [...new Set(corpus)] };
}

function howDecided({ decided }: ReviewRecord): string {
  return decided === null ? '' : ` (${decided.by} decided "${decided.kind}")`;
}

/** Who decided so last, and who approved it; null when nobody did. */
function decisionOf(
  { decided, trail }: ReviewRecord,
  kind: DecisionKind,
): Pick<Reviewed, 'reviewer' | 'approvedBy' | 'decidedAt'> | null {
  if (decided?.kind === kind) return { reviewer: decided.by, approvedBy: decided.approvedBy, decidedAt: decided.at };
  const last = trail.findLastIndex(({ action, decision }) => action === 'decided' && decision === kind);
  const entry = trail[last];
  if (entry?.actor == null) return null;
  const before = trail[last - 1];
  const approvedBy = before?.action === 'approved' && before.round === entry.round ? before.actor : null;
  return { reviewer: entry.actor, approvedBy, decidedAt: entry.at };
}

function sourcesOf(given: readonly Citation[]): { title: string; uri: string }[] {
  const sources = given.map(({ title, uri }): [string, { title: string; uri: string }] => [
    JSON.stringify([title, uri]),
    { title, uri },
  ]);
  return [...new Map(sources).values()];
}

function words(status: string): string {
  return status.replaceAll('_', ' ');
}
