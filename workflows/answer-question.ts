import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Outcome, Reason, Usage } from '../domain/contracts/answer.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import type { AnswerQuestionInput } from '../domain/contracts/run.ts';
import { microUsd } from '../domain/rules/usage.ts';
import { noAnswerOnPages } from '../domain/rules/page-words.ts';
import { nextTier } from '../domain/rules/tiers.ts';
import { draft, refine } from './answer/drafting.ts';
import { brief, correct, grade, retrieve } from './answer/evidence.ts';
import { answered, withheld } from './answer/outcome.ts';
import { RunState } from './answer/state.ts';
import { isEvidenceGone, orByFreePlayer, runStep, typeOf } from './answer/steps.ts';
import { progressQuery } from './messages.ts';
import { searchAttributes } from './search-attributes.ts';

/** How often a run searches from the start when documents that it found are replaced under it. */
const maxRounds = 3;

/** One question, from analysis to a typed outcome. Fails only for a typed reason (see `failureOf`). */
export async function answerQuestion(input: AnswerQuestionInput): Promise<Outcome> {
  const state = new RunState(input);
  setHandler(progressQuery, () => state.progress());
  try {
    const outcome = await answer(state);
    return end(state, outcome);
  } catch (error) {
    throw failed(state, error);
  }
}

async function answer(state: RunState): Promise<Outcome> {
  const analysis = await analyse(state);
  if (analysis.kind === 'unclear') return withheld(state, 'needs_clarification', { reason: unclear });
  if (analysis.kind === 'smalltalk') return withheld(state, 'needs_clarification', { reason: smalltalk });
  state.analysis = analysis;

  for (let round = 1; ; round++) {
    try {
      return await answerFromCorpus(state, analysis.searchText);
    } catch (error) {
      if (!isEvidenceGone(error) || round === maxRounds) throw error;
      state.startOver();
    }
  }
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

/** Search, grade, correct, refine, draft and check. */
async function answerFromCorpus(state: RunState, query: string): Promise<Outcome> {
  await grade(state, await retrieve(state, query));
  if (state.corpusEmpty && !mayLookOutside(state)) return withheld(state, 'abstained', { reason: emptyCorpus });

  for (let tier = next(state); tier !== null; tier = next(state)) await correct(state, tier);
  if (state.verdict === 'INCORRECT')
    return withheld(state, 'abstained', { reason: state.corpusEmpty ? emptyCorpus : onPages(state, noEvidence) });

  let evidence = await refine(state);
  for (let tier = next(state); evidence.strips.length === 0 && tier !== null; tier = next(state)) {
    await correct(state, tier);
    evidence = await refine(state);
  }
  if (evidence.strips.length === 0) return withheld(state, 'abstained', { reason: onPages(state, insufficient) });

  const { draft: grounded, grounding } = await draft(state, evidence);
  if (grounded === null)
    return withheld(state, 'abstained', { reason: grounding === null ? insufficient : notGrounded, grounding });
  return answered(state, grounded);
}

/** The reason with what is known of the pages that the question names. */
function onPages(state: RunState, reason: Reason): Reason {
  const message = noAnswerOnPages(state.analysis?.pages ?? [], state.unread);
  return message === null ? reason : { ...reason, message };
}

/** Nothing to correct in an empty corpus, but the web may have it. */
function mayLookOutside({ input }: RunState): boolean {
  return input.policy.tiers.includes('web') && input.policy.web.mode !== 'never';
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

/** A run fails with the dotted type of the activity that failed, so that people can find and resume all that failed for one reason. */
function failed(state: RunState, error: unknown): unknown {
  if (isCancellation(error)) {
    mark(state, 'cancelled');
    state.tell({ type: 'run-error', reason: 'Run.Cancelled', message: 'The run was cancelled.' });
    return error;
  }
  const failure = failureOf(error, state.usage);
  if (failure === null) return error;
  mark(state, 'failed', failure.type ?? 'Internal');
  state.tell({ type: 'run-error', reason: failure.type ?? 'Internal', message: failure.message });
  return failure;
}

/** Null for a defect of the workflow's own code: that fails the task, not the run, and goes on after a fix. */
function failureOf(error: unknown, usage: Usage): ApplicationFailure | null {
  if (!(error instanceof ActivityFailure)) return null;
  const { cause, activityType } = error;
  if (cause instanceof ApplicationFailure) {
    return ApplicationFailure.create({
      type: cause.type ?? 'Internal',
      message: cause.message,
      nonRetryable: true,
      cause: error,
      details: [{ usage }],
    });
  }
  return ApplicationFailure.create({
    type: typeOf(error),
    message: `${activityType} did not finish within its limits`,
    nonRetryable: true,
    cause: error,
    details: [{ usage }],
  });
}

const unclear = {
  code: 'unclear_question',
  message: 'There is no question in this text. Please ask one in words.',
} as const;
const smalltalk = {
  code: 'no_question',
  message: 'Nothing to look up. Please ask a question about the documents.',
} as const;
const emptyCorpus = {
  code: 'empty_corpus',
  message: 'The corpus is empty: there is no document that you may read. Ingest some first.',
} as const;
const noEvidence = {
  code: 'no_evidence',
  message: 'None of the documents that you may read speaks to this question.',
} as const;
const insufficient = {
  code: 'insufficient_evidence',
  message: 'The documents that you may read touch on this, but no sentence in them answers the question.',
} as const;
const notGrounded = {
  code: 'not_grounded',
  message: 'No statement could be made that its sources fully support.',
} as const;
