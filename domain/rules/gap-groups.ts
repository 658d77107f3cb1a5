import type { AnsweredRun, GapGroup, GapRun, PublishedReview } from '../contracts/gaps.ts';
import { foldText } from '../text/normalise.ts';

/** What is known of a group before any of its runs was read. */
export type GapOutline = Omit<GapGroup, 'missing' | 'closes' | 'questions'> & { runs: GapRun[] };

/** The same for texts that differ in case, width, spaces and punctuation only. */
export function questionKey(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export interface Closers {
  published: readonly PublishedReview[];
  answered: readonly AnsweredRun[];
}

/** A group of runs, its most central question first. */
export function outlineOf(central: string, runs: readonly GapRun[], closers: Closers): GapOutline {
  const newest = runs.toSorted((a, b) =>
    a.askedAt < b.askedAt ? 1 : a.askedAt > b.askedAt ? -1 : a.id < b.id ? -1 : 1,
  );
  const counted = (status: string) => runs.filter((run) => run.status === status).length;
  return {
    question: newest.find(({ question }) => questionKey(question) === questionKey(central))?.question ?? central,
    count: runs.length,
    abstained: counted('abstained'),
    partlyAnswered: counted('partially_answered'),
    reviewed: runs.filter(({ review }) => review !== null).length,
    reasons: reasonsOf(runs),
    lastAsked: newest[0]?.askedAt ?? '',
    closed: closedBy(runs, closers),
    runs: newest,
  };
}

/** Open ones before closed ones, the most asked first, then the last asked. */
export function inOrder(groups: readonly GapOutline[]): GapOutline[] {
  return groups.toSorted(
    (a, b) =>
      Number(a.closed) - Number(b.closed) ||
      b.count - a.count ||
      (a.lastAsked < b.lastAsked ? 1 : a.lastAsked > b.lastAsked ? -1 : 0),
  );
}

/**
 * Whether every run of a group is answered by what came after it: a reviewed document of one of the group's questions that its asker may read, or a
 * full answer to the same words for an asker with no more groups. What others may read closes nobody's gap; nor is one closed while a reviewer is
 * still waited for.
 */
function closedBy(runs: readonly GapRun[], { published, answered }: Closers): boolean {
  const ids = new Set(runs.map(({ id }) => id));
  const keys = new Set(runs.map(({ question }) => questionKey(question)));
  const documents = published.filter(({ questionId }) => ids.has(questionId));
  const answers = answered.filter(({ question }) => keys.has(questionKey(question)));
  const mayRead = (run: GapRun, groups: readonly string[]) =>
    groups.length === 0 || groups.some((group) => run.groups.includes(group));
  const noMore = (run: GapRun, groups: readonly string[]) => groups.every((group) => run.groups.includes(group));
  return runs.every(
    (run) =>
      run.status !== 'awaiting_review' &&
      (documents.some(({ at, groups }) => at > run.askedAt && mayRead(run, groups)) ||
        answers.some(({ askedAt, groups }) => askedAt > run.askedAt && noMore(run, groups))),
  );
}

function reasonsOf(runs: readonly GapRun[]): GapGroup['reasons'] {
  const counts = new Map<string, number>();
  for (const { reason } of runs) if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}
