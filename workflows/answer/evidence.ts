import { isCancellation, workflowInfo } from '@temporalio/workflow';
import type { Tier } from '../../domain/contracts/answer.ts';
import type { EvidenceRef, Grade } from '../../domain/contracts/evidence.ts';
import type { RunState } from './state.ts';
import { isEvidenceGone, runStep } from './steps.ts';

/** Searches the corpus; returns what was not known before. A failing index fails the run: an outage is not "nothing found". */
export async function retrieve(state: RunState, query: string): Promise<EvidenceRef[]> {
  state.tried.push(query);
  const { access, policy } = state.input;
  const { evidence, corpusEmpty } = await runStep(state, 'retrieve', {
    input: {
      access,
      query,
      identifiers: state.analysis?.identifiers ?? [],
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
export async function grade(state: RunState, found: EvidenceRef[]): Promise<void> {
  const { analysis, input } = state;
  if (analysis === null || found.length === 0) {
    state.judge([]);
    return;
  }
  const evidenceIds = found.map(({ id }) => id);
  state.judge(await gradesOf(state, { access: input.access, analysis, evidenceIds, grading: input.policy.grading }));
}

async function gradesOf(state: RunState, input: Parameters<typeof runStep<'grade'>>[2]['input']): Promise<Grade[]> {
  try {
    const { grades } = await runStep(state, 'grade', {
      input,
      summary: `grade ${input.evidenceIds.length} passages`,
      done: (output) => `${output.grades.filter(({ label }) => label === 'relevant').length} relevant`,
    });
    return grades;
  } catch (error) {
    if (isCancellation(error) || isEvidenceGone(error)) throw error;
    return input.evidenceIds.map((evidenceId) => ({
      evidenceId,
      score: null,
      label: 'uncertain',
      aspects: [],
      reason: 'the grader failed',
    }));
  }
}

/** One correction: new searches, their passages graded, the whole judged again, all of it in the ledger. */
export async function correct(state: RunState, tier: Tier): Promise<void> {
  state.triedTiers.push(tier);
  if (tier === 'rewrite') return rewrite(state);
  if (tier === 'decompose') return decompose(state);
  note(state, { tier, query: '', found: 0, startedAt: Date.now(), note: 'not available' });
}

async function rewrite(state: RunState): Promise<void> {
  const { analysis, input } = state;
  if (analysis === null) return;
  const startedAt = Date.now();
  const query = await rewrittenQuery(state, {
    question: input.question,
    analysis,
    missing: state.missing,
    neighbours: state.neighbours(),
    tried: state.tried,
    limits: input.policy.rewrite,
  });
  if (query === null) {
    note(state, { tier: 'rewrite', query: '', found: 0, startedAt, note: 'no new query to try' });
    return;
  }
  await search(state, { tier: 'rewrite', query, startedAt });
}

async function rewrittenQuery(
  state: RunState,
  input: Parameters<typeof runStep<'rewrite'>>[2]['input'],
): Promise<string | null> {
  try {
    const { query } = await runStep(state, 'rewrite', {
      input,
      summary: `aim the search at ${input.missing.length} missing aspect(s)`,
      done: (output) => output.query ?? 'no new query',
    });
    return query;
  } catch (error) {
    if (isCancellation(error)) throw error;
    // The raw question was the first search: there is nothing else to search for.
    return null;
  }
}

async function decompose(state: RunState): Promise<void> {
  const { analysis, input } = state;
  if (analysis === null) return;
  const startedAt = Date.now();
  const { subQuestions } = await runStep(state, 'decompose', {
    input: {
      question: input.question,
      analysis,
      missing: state.missing,
      tried: state.tried,
      maxTurns: input.policy.decompose.maxTurns,
    },
    summary: 'split into simpler questions',
    done: (output) => `${output.subQuestions.length} sub-questions`,
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
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79).replace(/[\ud800-\udbff]$/, '')}…`;
}
