import { DeterminismViolationError } from '@temporalio/workflow';
import { ReplayError, Worker, type InjectedSinks } from '@temporalio/worker';
import type { ReplayReport } from '../domain/contracts/replay.ts';
import type { EventSinks } from '../workflows/answer/state.ts';
import { divergenceOf, type Trace } from './replay/divergence.ts';
import { HistoryError, type RecordedRun } from './replay/recorded-run.ts';

export { HistoryError, recordedRun, type RecordedRun } from './replay/recorded-run.ts';

/** Far more than any history of ours takes. */
const patienceMs = 60_000;

/**
 * Runs the bundle's workflow code along a recorded run and says where they part. Nothing happens in the world: steps give what they gave then.
 * @throws HistoryError when the bundle has no such workflow
 */
export async function replayHistory(
  { history, events, workflowId, runId, workflowType }: RecordedRun,
  bundle: { code: string },
): Promise<ReplayReport> {
  const trace: Trace = { step: null, historyLength: 0 };
  const run = { workflowId, runId, workflowType, events: events.length };
  try {
    const options = { workflowBundle: bundle, sinks: tracing(trace) };
    await patiently(Worker.runReplayHistory(options, history, workflowId));
    return { ...run, ok: true, divergence: null };
  } catch (error) {
    if (!(error instanceof DeterminismViolationError || error instanceof ReplayError)) throw error;
    if (error.message.includes('no such function is exported'))
      throw new HistoryError(`it is of the workflow ${workflowType}, which this version of Plumbline does not have`, {
        cause: error,
      });
    return { ...run, ok: false, divergence: divergenceOf(error.message, { events, trace }) };
  }
}

/** Follows the code by the events that it tells, which it tells again in a replay. */
function tracing(trace: Trace): InjectedSinks<EventSinks> {
  return {
    events: {
      publish: {
        fn: ({ historyLength }, event) => {
          trace.historyLength = historyLength;
          if (event.type === 'step-start') trace.step = event.step;
        },
        callDuringReplay: true,
      },
    },
  };
}

async function patiently<T>(replay: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new HistoryError('its replay does not end')), patienceMs);
  try {
    return await Promise.race([replay, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
