import { isCancellation, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { Outcome, Reason } from '../domain/contracts/answer.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import type { AnswerQuestionInput } from '../domain/contracts/run.ts';
import { microUsd } from '../domain/rules/usage.ts';
import { noAnswerOnPages } from '../domain/rules/page-words.ts';
import { nextTier } from '../domain/rules/tiers.ts';
import { draft, refine } from './answer/drafting.ts';
import { brief, correct, grade, gradeReviewers, retrieve } from './answer/evidence.ts';
import { follow } from './answer/following.ts';
import { answered, withheld, type Reached } from './answer/outcome.ts';
import { reasons } from './answer/reasons.ts';
import { ReviewDesk } from './answer/review-desk.ts';
import { runFailure } from './answer/run-failure.ts';
import { RunState } from './answer/state.ts';
import { isEvidenceGone, orByFreePlayer, runStep } from './answer/steps.ts';
import { progressQuery } from './messages.ts';
import { searchAttributes } from './search-attributes.ts';

/** How often a run searches from the start when documents that it found are replaced under it. */
const maxRounds = 3;

/**
 * One question, from analysis to a typed outcome, with a person asked where the policy says so. Fails only for a typed reason (see `runFailure`).
 */
export async function answerQuestion(input: AnswerQuestionInput): Promise<Outcome> {
  const state = new RunState(input);
  const desk = new ReviewDesk(state);
  setHandler(progressQuery, () => state.progress());
  try {
    const outcome = await answer(state, desk);
    await desk.close('decided');
    return end(state, { ...outcome, review: desk.record() });
  } catch (error) {
    throw await failed(state, desk, error);
  }
}

async function answer(state: RunState, desk: ReviewDesk): Promise<Outcome> {
  const analysis = await analyse(state);
  if (analysis.kind === 'unclear') return withheld(state, 'needs_clarification', { reason: reasons.unclear });
  if (analysis.kind === 'smalltalk') return withheld(state, 'needs_clarification', { reason: reasons.smalltalk });
  state.analysis = analysis;

  let reached = await unlessGone(state, desk, () => answerFromCorpus(state, analysis.searchText));
  while (!reached.final) {
    const { outcome } = reached;
    const decision = await desk.decisionOn(outcome);
    if (decision === null) break;
    reached = await unlessGone(state, desk, () => follow(state, decision, { outcome, desk, conclude }));
  }
  return reached.outcome;
}

/** By the policy's model or by rules; by rules, too, when the model fails. */
async function analyse(state: RunState): Promise<Analysis> {
  const { question, policy } = state.input;
  const by = async (analyst: ModelChoice) => {
    const { analysis } = await runStep(state, 'analyse', {
      input: { question, analyst },
      summary: brief(question),
      done: (output) =>
        `${output.analysis.aspects.length} aspect(s), ${output.analysis.identifiers.length} identifier(s)`,
      here: analyst.provider === 'local',
    });
    return analysis;
  };
  const player = policy.models.analyse;
  return orByFreePlayer(state, by, { role: 'analyse', player, step: 'analyse', instead: 'analysed by rules' });
}

/** When documents that the run had found are replaced or closed to the asker meanwhile, it searches anew; a bounded number of times. */
async function unlessGone(state: RunState, desk: ReviewDesk, work: () => Promise<Reached>): Promise<Reached> {
  for (let round = 1; ; round++) {
    try {
      return round === 1 ? await work() : await answerFromCorpus(state, state.searchText);
    } catch (error) {
      if (!isEvidenceGone(error) || round === maxRounds) throw error;
      desk.sourcesGone();
      state.startOver();
    }
  }
}

async function answerFromCorpus(state: RunState, query: string): Promise<Reached> {
  await grade(state, await retrieve(state, query));
  await gradeReviewers(state, state.fromReviewers);
  return { outcome: await conclude(state), final: false };
}

/** From what was found and graded so far: correct, refine, draft and check. */
async function conclude(state: RunState): Promise<Outcome> {
  const corpusEmpty = state.corpusEmpty && state.fromReviewers.length === 0;
  if (corpusEmpty && !mayLookOutside(state)) return withheld(state, 'abstained', { reason: reasons.emptyCorpus });

  for (let tier = next(state); tier !== null; tier = next(state)) await correct(state, tier);
  if (state.verdict === 'INCORRECT')
    return withheld(state, 'abstained', {
      reason: corpusEmpty ? reasons.emptyCorpus : onPages(state, reasons.noEvidence),
    });

  let evidence = await refine(state);
  for (let tier = next(state); evidence.strips.length === 0 && tier !== null; tier = next(state)) {
    await correct(state, tier);
    evidence = await refine(state);
  }
  if (evidence.strips.length === 0)
    return withheld(state, 'abstained', { reason: onPages(state, reasons.insufficient) });

  const { draft: grounded, grounding } = await draft(state, evidence);
  if (grounded === null) {
    const reason = grounding === null ? reasons.insufficient : reasons.notGrounded;
    return withheld(state, 'abstained', { reason, grounding });
  }
  return answered(state, grounded);
}

/** The reason with what is known of the pages that the question names. */
function onPages(state: RunState, reason: Reason): Reason {
  const message = noAnswerOnPages(state.analysis?.pages ?? [], state.unread);
  return message === null ? reason : { ...reason, message };
}

/** Nothing to correct in an empty corpus, but the web may have it. */
function mayLookOutside({ input, webPermitted }: RunState): boolean {
  return webPermitted || (input.policy.tiers.includes('web') && input.policy.web.mode !== 'never');
}

function next(state: RunState) {
  const { verdict, quality, triedTiers } = state;
  if (verdict === null || quality === null) return null;
  return nextTier({ verdict, quality: quality.status, tried: triedTiers }, state.input.policy.tiers);
}

function end(state: RunState, outcome: Outcome): Outcome {
  mark(state, outcome.status, outcome.reason?.code);
  setCurrentDetails(state.story(`### ${outcome.status}\n\n${outcome.answer ?? outcome.reason?.message ?? ''}`));
  state.tell({ type: 'run-end', status: outcome.status });
  return outcome;
}

/** Marks the run for lists and filters; once, at its end, since each change is a write of its own for the server. */
function mark({ verdict, quality, usage }: RunState, status: string, reason?: string): void {
  upsertSearchAttributes([
    { key: searchAttributes.status, value: status },
    ...(verdict === null ? [] : [{ key: searchAttributes.verdict, value: verdict }]),
    ...(quality === null ? [] : [{ key: searchAttributes.quality, value: quality.status }]),
    ...(reason === undefined ? [] : [{ key: searchAttributes.reason, value: reason }]),
    ...(usage.calls.length === 0 ? [] : [{ key: searchAttributes.costMicroUsd, value: microUsd(usage.calls) }]),
  ]);
}

async function failed(state: RunState, desk: ReviewDesk, error: unknown): Promise<unknown> {
  if (isCancellation(error)) {
    await desk.close('cancelled');
    mark(state, 'cancelled');
    state.tell({ type: 'run-error', reason: 'Run.Cancelled', message: 'The run was cancelled.' });
    return error;
  }
  const failure = runFailure(error, state.usage);
  if (failure === null) return error;
  await desk.close('decided');
  mark(state, 'failed', failure.type ?? 'Internal');
  state.tell({ type: 'run-error', reason: failure.type ?? 'Internal', message: failure.message });
  return failure;
}
