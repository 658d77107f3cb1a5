import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TimeoutFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnswerActivities } from '../../activities/index.ts';
import type { StepRecord } from '../../activities/call-log.ts';
import type { ModelChoice, ModelRole } from '../../domain/contracts/models.ts';
import type { StepLimits } from '../../domain/contracts/policy.ts';
import { activityOf } from '../../domain/rules/step-activity.ts';
import type { StepName } from '../../domain/contracts/step-name.ts';
import { browserQueueOf, webQueueOf } from '../messages.ts';
import type { RunState } from './state.ts';

type ActivityOf<S extends StepName> = AnswerActivities[(typeof activityOf)[S]];
export type StepInput<S extends StepName> = Parameters<ActivityOf<S>>[0];

/**
 * Runs one step as an activity under the policy's limits, and writes its start, its end, its time and its cost into the run's state. `here`: as a
 * local activity, without a task of its own on the server, for a step that only computes.
 */
export async function runStep<S extends StepName>(
  state: RunState,
  step: S,
  call: {
    input: StepInput<S>;
    summary: string;
    done: (output: Awaited<ReturnType<ActivityOf<S>>>) => string;
    here?: boolean;
  },
): Promise<Awaited<ReturnType<ActivityOf<S>>>> {
  const startedAt = Date.now();
  state.stepStarts(step, call.summary);
  const limits = state.input.policy.steps[step];
  const activities = call.here
    ? proxyLocalActivities<AnswerActivities>({ ...localOptionsOf(limits), summary: call.summary })
    : proxyActivities<AnswerActivities>({ ...optionsOf(limits), ...queueOf(step), summary: call.summary });
  const run = activities[activityOf[step]] as unknown as (
    input: StepInput<S>,
  ) => Promise<Awaited<ReturnType<ActivityOf<S>>>>;
  try {
    const output = await run(call.input);
    state.charge(output.calls);
    state.stepEnds(step, output.ms, call.done(output));
    return output;
  } catch (thrown) {
    const error = asActivityFailure(thrown, activityOf[step]);
    state.charge(recordOf(error).calls);
    if (error instanceof ActivityFailure && !isCancellation(error))
      state.stepEnds(step, Date.now() - startedAt, `failed: ${typeOf(error)}`);
    throw error;
  }
}

/** A local activity fails with its bare cause; wrapped, it looks as one on the server does. */
function asActivityFailure(error: unknown, activityType: string): unknown {
  if (!(error instanceof ApplicationFailure) && !(error instanceof TimeoutFailure)) return error;
  return new ActivityFailure(
    `${activityType} failed`,
    activityType,
    undefined,
    'MAXIMUM_ATTEMPTS_REACHED',
    undefined,
    error,
  );
}

/**
 * For a step that the run can do without: writes down that it failed and what happens instead. Throws what no run may go on after:
 * a cancellation, evidence that is gone, a defect of the workflow's own code.
 */
export function goOnWithout(state: RunState, error: unknown, lost: { step: StepName; instead: string }): void {
  if (!(error instanceof ActivityFailure) || isCancellation(error) || isEvidenceGone(error)) throw error;
  state.degrade({ ...lost, reason: typeOf(error) });
}

/** The dotted type of the failure that ended a step's attempts. */
export function typeOf({ cause }: ActivityFailure): string {
  if (cause instanceof ApplicationFailure) return cause.type ?? 'Internal';
  return cause instanceof TimeoutFailure || cause instanceof CancelledFailure ? 'Step.TimedOut' : 'Internal';
}

/** What plays a role without cost, once the run may pay no more. */
const free: Record<ModelRole, string> = {
  analyse: 'rules',
  grade: 'logistic',
  rewrite: 'rules',
  refine: 'logistic',
  generate: 'extractive',
  check: 'rules',
};

/** Who plays a role now: the policy's model, or what runs here for nothing when the cost ceiling is reached. */
export function playerOf(state: RunState, role: ModelRole): ModelChoice {
  const choice = state.input.policy.models[role];
  if (choice.provider === 'local' || !state.ceilingReached) return choice;
  state.unpaidRoles.add(role);
  return freePlayer(role);
}

export function freePlayer(role: ModelRole): ModelChoice {
  return { provider: 'local', model: free[role], maxOutputTokens: 4096, temperature: null, effort: null };
}

/** Whether a choice is what the role falls back on: then there is nothing to fall back on. */
export function isFreePlayer(role: ModelRole, { provider, model }: ModelChoice): boolean {
  return provider === 'local' && model === free[role];
}

/** Runs a step by the player of its role, and by the free one where that one fails for good; the run says so. */
export async function orByFreePlayer<T>(
  state: RunState,
  run: (player: ModelChoice) => Promise<T>,
  lost: { role: ModelRole; player: ModelChoice; step: StepName; instead: string },
): Promise<T> {
  const { role, player, ...degradation } = lost;
  try {
    return await run(player);
  } catch (error) {
    if (isFreePlayer(role, player)) throw error;
    goOnWithout(state, error, degradation);
    return run(freePlayer(role));
  }
}

/** What a failed or cancelled step has paid for and sent: in its failure's details, or in the last heartbeat of one that timed out. */
export function recordOf(error: unknown): StepRecord {
  if (!(error instanceof ActivityFailure)) return { calls: [] };
  const { cause } = error;
  const details =
    cause instanceof TimeoutFailure
      ? cause.lastHeartbeatDetails
      : cause instanceof ApplicationFailure || cause instanceof CancelledFailure
        ? cause.details?.[0]
        : undefined;
  return { calls: [], ...(details as Partial<StepRecord> | null | undefined) };
}

/** Passages that this run found are there no more: it must search anew. */
export function isEvidenceGone(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'Evidence.Gone'
  );
}

/** A run does without a browser that is not there; all other steps wait for their workers. */
const browserWaitMs = 5_000;

function queueOf(step: StepName): { taskQueue?: string; scheduleToStartTimeout?: number } {
  const { taskQueue } = workflowInfo();
  if (step === 'search-web') return { taskQueue: webQueueOf(taskQueue) };
  if (step !== 'render-pages') return {};
  return { taskQueue: browserQueueOf(taskQueue), scheduleToStartTimeout: browserWaitMs };
}

/** No schedule-to-close timeout: it would count the time in which no worker is there, and fail runs that should wait (docs/decisions/0007). */
function optionsOf(limits: StepLimits) {
  return {
    ...localOptionsOf(limits),
    ...(limits.heartbeatMs === null
      ? {}
      : { heartbeatTimeout: limits.heartbeatMs, cancellationType: 'WAIT_CANCELLATION_COMPLETED' as const }),
  };
}

function localOptionsOf(limits: StepLimits) {
  return {
    startToCloseTimeout: limits.startToCloseMs,
    retry: { maximumAttempts: limits.attempts, initialInterval: 200, backoffCoefficient: 2, maximumInterval: 2000 },
  };
}
