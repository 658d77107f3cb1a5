import { workflowInfo } from '@temporalio/workflow';
import type { Tier } from '../../domain/contracts/answer.ts';
import type { EvidenceRef, Grade } from '../../domain/contracts/evidence.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { Analysis } from '../../domain/contracts/question.ts';
import type { ReviewDecision } from '../../domain/contracts/review.ts';
import { reviewPolicyOf } from '../../domain/review/no-reviews.ts';
import type { OwnTier } from '../../domain/rules/tiers.ts';
import { shortened } from '../../domain/text/shortened.ts';
import { refine } from './drafting.ts';
import type { RunState } from './state.ts';
import { goOnWithout, orByFreePlayer, playerOf, runStep, type StepInput } from './steps.ts';
import { searchWeb } from './web-search.ts';

type Retry = Extract<ReviewDecision, { kind: 'retry' }>;

/** Searches the corpus; returns what was not known before. A failing index fails the run: an outage is not "nothing found". */
export async function retrieve(state: RunState, query: string): Promise<EvidenceRef[]> {
  state.tried.push(query);
  const { access, policy } = state.input;
  const { evidence, corpusEmpty } = await runStep(state, 'retrieve', {
    input: {
      access,
      query,
      identifiers: state.analysis?.identifiers ?? [],
      pages: state.analysis?.pages ?? [],
      retrieval: policy.retrieval,
      asOf: workflowInfo().startTime.toISOString().slice(0, 10),
    },
    summary: `search the corpus: ${brief(query)}`,
    done: (output) => `${output.evidence.length} passages`,
  });
  state.corpusEmpty = corpusEmpty;
  return state.add(evidence);
}

/** Grades new passages and judges the whole. When grading itself fails, the passages are uncertain, never irrelevant. */
export async function grade(
  state: RunState,
  found: EvidenceRef[],
  own: Partial<Policy['grading']> = {},
): Promise<void> {
  const { analysis, input } = state;
  if (analysis === null || found.length === 0) {
    state.judge([]);
    return;
  }
  const { models } = input.policy;
  const grading = { ...input.policy.grading, ...own };
  const evidenceIds = found.map(({ id }) => id);
  const player = grading.method === 'local' ? null : playerOf(state, 'grade');
  const judge = player === models.grade ? player : null;
  state.judge(await gradesOf(state, { access: input.access, analysis, evidenceIds, grading, judge }));
}

/** When the judging model fails for good, the local part of the grading stands and the rest is uncertain; when that fails too, all is. */
async function gradesOf(state: RunState, input: StepInput<'grade'>): Promise<Grade[]> {
  try {
    const { grades, unread } = await runStep(state, 'grade', {
      input,
      summary: `grade ${input.evidenceIds.length} passages`,
      done: (output) => `${output.grades.filter(({ label }) => label === 'relevant').length} relevant`,
      here: input.judge === null,
    });
    state.unread ??= unread ?? null;
    return grades;
  } catch (error) {
    const alone = input.grading.method === 'cascade' ? 'the local grades alone' : 'passages uncertain';
    const instead = input.judge === null ? 'all passages uncertain' : alone;
    goOnWithout(state, error, { step: 'grade', instead });
    if (input.judge !== null) return gradesOf(state, { ...input, judge: null });
    return input.evidenceIds.map((evidenceId) => ({
      evidenceId,
      score: null,
      label: 'uncertain',
      aspects: [],
      reason: 'the grader failed',
    }));
  }
}

/** What reviewers gave, by thresholds of its own: a person has chosen it. */
export async function gradeReviewers(state: RunState, given: EvidenceRef[]): Promise<void> {
  if (given.length === 0) return;
  const { relevant, irrelevant } = reviewPolicyOf(state.input.policy);
  state.add(given);
  await grade(state, given, { relevant, irrelevant });
}

/** One correction: new searches, their passages graded, the whole judged again, all of it in the ledger. */
export async function correct(state: RunState, tier: OwnTier): Promise<void> {
  state.triedTiers.push(tier);
  if (tier === 'rewrite') return rewrite(state);
  if (tier === 'decompose') return decompose(state);
  return web(state, { query: await webQuery(state) });
}

async function rewrite(state: RunState): Promise<void> {
  if (!goesAhead(state)) return searchRewritten(state);
  state.triedTiers.push('web');
  await web(state, { query: state.searchText, beside: () => searchRewritten(state) });
}

/** With ambiguous evidence the policy may have the web asked at once, beside the corpus. */
function goesAhead({ input, verdict, triedTiers }: RunState): boolean {
  const { tiers, web } = input.policy;
  const mayStill = tiers.includes('web') && !triedTiers.includes('web');
  return web.ahead && web.mode === 'allowed' && verdict === 'AMBIGUOUS' && mayStill;
}

async function searchRewritten(state: RunState): Promise<void> {
  const { analysis } = state;
  if (analysis === null) return;
  const startedAt = Date.now();
  const queries = await rewrittenQueries(state, rewriteInput(state, analysis, playerOf(state, 'rewrite')));
  if (queries.length === 0) {
    note(state, { tier: 'rewrite', query: '', found: 0, startedAt, note: 'no new query to try' });
    return;
  }
  state.rewritten = queries[0] ?? null;
  for (const query of queries) await search(state, { tier: 'rewrite', query, startedAt });
}

function rewriteInput(state: RunState, analysis: Analysis, writer: ModelChoice): StepInput<'rewrite'> {
  return {
    question: state.input.question,
    analysis,
    missing: state.missing,
    neighbours: state.neighbours(),
    tried: state.tried,
    limits: state.input.policy.rewrite,
    writer,
  };
}

/** What a model could not rewrite, rules do; when they fail, too, the raw question stands, which has been searched already. */
async function rewrittenQueries(state: RunState, input: StepInput<'rewrite'>): Promise<string[]> {
  const by = async (writer: ModelChoice) => {
    const { queries } = await runStep(state, 'rewrite', {
      input: { ...input, writer },
      summary: `aim the search at ${input.missing.length} missing aspect(s)`,
      done: (output) => output.queries.join(' | ') || 'no new query',
    });
    return queries;
  };
  const player = input.writer;
  try {
    return await orByFreePlayer(state, by, { role: 'rewrite', player, step: 'rewrite', instead: 'rewritten by rules' });
  } catch (error) {
    goOnWithout(state, error, { step: 'rewrite', instead: 'the raw question' });
    return [];
  }
}

async function decompose(state: RunState): Promise<void> {
  const { analysis, input } = state;
  if (analysis === null) return;
  const startedAt = Date.now();
  const subQuestions = await simplerQuestions(state, {
    question: input.question,
    analysis,
    missing: state.missing,
    tried: state.tried,
    maxTurns: input.policy.decompose.maxTurns,
    writer: playerOf(state, 'rewrite'),
  });
  if (subQuestions.length === 0) {
    note(state, { tier: 'decompose', query: '', found: 0, startedAt, note: 'no simpler question to try' });
    return;
  }
  for (const { aspectId, query } of subQuestions) {
    if (state.missing.some(({ id }) => id === aspectId))
      await search(state, { tier: 'decompose', query, startedAt: Date.now() });
  }
}

/** What a model could not split, rules split. */
async function simplerQuestions(state: RunState, input: StepInput<'decompose'>) {
  const by = async (writer: ModelChoice) => {
    const { subQuestions } = await runStep(state, 'decompose', {
      input: { ...input, writer },
      summary: 'split into simpler questions',
      done: (output) => `${output.subQuestions.length} sub-questions`,
    });
    return subQuestions;
  };
  const player = input.writer;
  return orByFreePlayer(state, by, { role: 'rewrite', player, step: 'decompose', instead: 'split by rules' });
}

/** Searches once more as a reviewer says: with another query, with words beside the question, on the web, under a higher cost ceiling. */
export async function searchAgain(state: RunState, { query, hint, web: outside, maxCostUsd }: Retry): Promise<void> {
  const question = state.searchText;
  const wanted = query ?? (hint === undefined ? null : `${question} ${hint}`);
  if (maxCostUsd !== undefined) {
    state.maxCostUsd = maxCostUsd;
    state.unpaidRoles.clear();
    state.triedTiers.length = 0;
  }
  if (wanted !== null) await search(state, { tier: 'review', query: wanted, startedAt: Date.now() });
  if (outside !== true) return;
  state.webPermitted = true;
  state.webWithheld = false;
  state.triedTiers.push('web');
  await web(state, { query: wanted ?? (await webQuery(state)) });
}

export function noteReview(state: RunState, entry: Omit<Parameters<typeof note>[1], 'tier'>): void {
  note(state, { ...entry, tier: 'review' });
}

/**
 * Looks outside. Evidence that is ambiguous is refined meanwhile, after what is to be done `beside`; what the web gives is graded by its own
 * thresholds. The web being down is no end of the run: it goes on with what the corpus gives, and says so.
 */
async function web(state: RunState, { query, beside }: { query: string; beside?: () => Promise<void> }): Promise<void> {
  const startedAt = Date.now();
  state.tell({ type: 'tier-start', tier: 'web', query });
  const [found] = await Promise.all([searchWeb(state, query), meanwhile(state, beside)]);
  state.webWithheld ||= found.asks;
  const fresh = state.add(found.evidence);
  const { grading: method, relevant, irrelevant } = state.input.policy.web;
  await grade(state, fresh, { method, relevant, irrelevant });
  note(state, { tier: 'web', query: found.sent ?? '', found: fresh.length, startedAt, note: found.note });
}

async function meanwhile(state: RunState, beside?: () => Promise<void>): Promise<void> {
  await beside?.();
  if (state.verdict === 'AMBIGUOUS' && state.keptEvidence().length > 0) await refine(state);
}

/** What the last rewrite made, or a paid writer makes now; else the question. */
async function webQuery(state: RunState): Promise<string> {
  const { analysis } = state;
  const writer = playerOf(state, 'rewrite');
  const question = state.searchText;
  if (state.rewritten !== null || writer.provider === 'local' || analysis === null) return state.rewritten ?? question;
  const [query] = await rewrittenQueries(state, rewriteInput(state, analysis, writer));
  return query ?? question;
}

async function search(state: RunState, attempt: { tier: Tier; query: string; startedAt: number }): Promise<void> {
  state.tell({ type: 'tier-start', tier: attempt.tier, query: attempt.query });
  const fresh = await retrieve(state, attempt.query);
  await grade(state, fresh);
  note(state, { ...attempt, found: fresh.length, note: null });
}

function note(
  state: RunState,
  entry: { tier: Tier; query: string; found: number; startedAt: number; note: string | null },
): void {
  const { tier, query, found, startedAt, note: remark } = entry;
  state.ledger.push({
    tier,
    query,
    found,
    verdict: state.verdict ?? 'INCORRECT',
    ms: Date.now() - startedAt,
    note: remark,
  });
}

/** One line of at most 80 characters for the Temporal UI. */
export function brief(text: string): string {
  return shortened(text, 80);
}
