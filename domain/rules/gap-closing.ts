import type { Outcome, Reason } from '../contracts/answer.ts';
import type { GapRun } from '../contracts/gaps.ts';
import { publishable } from '../review/publishable.ts';

/** A run of a group with what it came to; `outcome` null: it still goes on, or failed. */
export interface ReadRun {
  run: GapRun;
  outcome: Outcome | null;
  /** Whether its reviewed document is published and in effect. */
  published: boolean;
}

const mostTitles = 3;
const waiting: ReadonlySet<string> = new Set(['open', 'claimed', 'proposed']);

/** What would close a gap, in words, by its runs, the newest first: since they mean the same, each way is told for the first that needs it. */
export function waysToClose(runs: readonly ReadRun[]): string[] {
  const ways = new Map<string, string>();
  for (const read of runs) {
    const way = wayOf(read);
    if (way !== null && !ways.has(way.kind)) ways.set(way.kind, way.text);
  }
  return [...ways.values()];
}

/** Aspects that the runs lacked. */
export function missingOf(runs: readonly ReadRun[]): string[] {
  return [...new Set(runs.flatMap(({ outcome }) => outcome?.quality.missingAspects ?? []))];
}

/** Null where nothing is left to do. */
function wayOf({ run, outcome, published }: ReadRun): { kind: string; text: string } | null {
  const { id, review } = run;
  if (review !== null && waiting.has(review.state))
    return { kind: 'decide', text: `a reviewer's decision: plumbline review show ${id}` };
  if (published) return null;
  if (outcome === null) return { kind: 'look', text: `look at its run: plumbline runs show ${id}` };
  if (!('why' in publishable(outcome)))
    return { kind: 'publish', text: `publish the reviewed answer: plumbline review publish ${id}` };
  if (outcome.reason === null) {
    const words = "the question's words in the document that answers it, which a reviewer had to find";
    return { kind: 'words', text: `${words}: plumbline runs show ${id}` };
  }
  const { code } = outcome.reason;
  return { kind: code, text: byReason[code](run, outcome) };
}

const document = (run: GapRun, outcome: Outcome) => `a document that says: ${asked(run, outcome)}`;

const byReason: Record<Reason['code'], (run: GapRun, outcome: Outcome) => string> = {
  no_evidence: document,
  empty_corpus: document,
  missing_aspects: document,
  insufficient_evidence: (run, outcome) => `${nearest(outcome)}add the sentence that answers: ${asked(run, outcome)}`,
  not_grounded: (run, outcome) => `${nearest(outcome)}say it there outright, in one sentence: ${asked(run, outcome)}`,
  conflicting_sources: (_, { quality }) => {
    const documents = [...new Set(quality.conflicts.flatMap(({ documentIds }) => documentIds))].join(', ');
    return `mark one of ${documents} as superseded, or give it a higher authority`;
  },
  cost_ceiling: () => 'a higher budget: budget.maxCostUsd of its policy',
  review_expired: (run, outcome) => `a reviewer in time, or ${document(run, outcome)}`,
  rejected: () => 'nothing to add: a reviewer rejected it',
  unclear_question: () => 'a clearer question',
  no_question: () => 'a clearer question',
};

function asked({ question }: GapRun, { quality }: Outcome): string {
  return quality.missingAspects.length > 0 ? quality.missingAspects.join('; ') : question;
}

/** Where the best passages are, for a person who writes. */
function nearest({ evidence }: Outcome): string {
  const best = evidence
    .filter(({ label }) => label !== 'irrelevant')
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const titles = [...new Set((best.length > 0 ? best : evidence).map(({ title }) => title))].slice(0, mostTitles);
  return titles.length === 0 ? '' : `the passages nearest are in ${titles.join(', ')}; `;
}
