import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { AnswerActivities } from '../../activities/index.ts';
import type { StepLimits } from '../../domain/contracts/policy.ts';
import type { StepName } from '../../domain/contracts/events.ts';
import type { RunState } from './state.ts';

const activityOf = {
  analyse: 'analyse',
  retrieve: 'retrieve',
  grade: 'grade',
  rewrite: 'rewrite',
  decompose: 'decompose',
  refine: 'refine',
  generate: 'generate',
  'check-grounding': 'checkGrounding',
} as const satisfies Record<StepName, keyof AnswerActivities>;

type ActivityOf<S extends StepName> = AnswerActivities[(typeof activityOf)[S]];

/** Runs one step as an activity under the policy's limits, and writes its start, its end and its time into the run's state. */
export async function runStep<S extends StepName>(
  state: RunState,
  step: S,
  call: {
    input: Parameters<ActivityOf<S>>[0];
    summary: string;
    done: (output: Awaited<ReturnType<ActivityOf<S>>>) => string;
  },
): Promise<Awaited<ReturnType<ActivityOf<S>>>> {
  state.stepStarts(step, call.summary);
  const options = { ...optionsOf(state.input.policy.steps[step]), summary: call.summary };
  const run = proxyActivities<AnswerActivities>(options)[activityOf[step]] as unknown as (
    input: Parameters<ActivityOf<S>>[0],
  ) => Promise<Awaited<ReturnType<ActivityOf<S>>>>;
  const output = await run(call.input);
  state.stepEnds(step, output.ms, call.done(output));
  return output;
}

/** Passages that this run found are there no more: it must search anew. */
export function isEvidenceGone(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'Evidence.Gone'
  );
}

/** No schedule-to-close timeout: it would count the time in which no worker is there, and fail runs that should wait (docs/decisions/0007). */
function optionsOf(limits: StepLimits) {
  return {
    startToCloseTimeout: limits.startToCloseMs,
    ...(limits.heartbeatMs === null
      ? {}
      : { heartbeatTimeout: limits.heartbeatMs, cancellationType: 'WAIT_CANCELLATION_COMPLETED' as const }),
    retry: { maximumAttempts: limits.attempts, initialInterval: 200, backoffCoefficient: 2, maximumInterval: 2000 },
  };
}
