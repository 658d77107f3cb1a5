import { PlumblineError } from './failures.ts';
import type { RunRecord } from './run-record.ts';
import type { EventId } from './step-events.ts';

export interface ResetPoint {
  /** The first step that is done anew; null when the run goes on from its last task, and that one began no step. */
  step: string | null;
  /** Id of the event that Temporal resets to. */
  task: EventId;
}

/**
 * Where a run goes on: before the last start of the step `from`; without it before the step that ended the run, or, where none did (it was
 * terminated, or took too long), from its last task.
 * @throws PlumblineError `Run.UnknownStep` with the steps that the run has
 */
export function resetPoint(
  { steps, fatal, lastTask }: RunRecord,
  { id, from }: { id: string; from: string | undefined },
): ResetPoint {
  if (lastTask === null)
    throw new PlumblineError('Run.UnknownStep', `the run of question ${id} ended before its first step; ask it again`);
  if (from === undefined) {
    const begun = steps.find(({ task }) => String(task) === String(lastTask));
    return fatal ?? { step: begun?.step ?? null, task: lastTask };
  }
  const start = steps.findLast(({ step }) => step === from);
  if (start) return start;
  const known = [...new Set(steps.map(({ step }) => step))].join(', ');
  throw new PlumblineError('Run.UnknownStep', `the run of question ${id} has no step "${from}"; its steps: ${known}`);
}
