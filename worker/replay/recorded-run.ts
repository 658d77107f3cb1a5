import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import { attributesOf, idOf, kindOf, type HistoryEvent } from './history-event.ts';

export interface RecordedRun {
  history: History;
  events: HistoryEvent[];
  workflowId: string;
  runId: string;
  workflowType: string;
}

/** What was given is no history that could be replayed; the message says what is wrong with it. */
export class HistoryError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'HistoryError';
  }
}

/**
 * A history as the SDK fetches it, or parsed from JSON as `historyToJSON` and `temporal workflow show --output json` write it. It is checked
 * here, since the SDK waits for ever on one that is not whole.
 * @throws HistoryError
 */
export function recordedRun(given: unknown): RecordedRun {
  const history = decoded(given);
  const events = history.events ?? [];
  requireWhole(events);
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  const workflowType = started?.workflowType?.name;
  const runId = started?.originalExecutionRunId;
  if (!workflowType || !runId)
    throw new HistoryError('its first event is not the start of a run: it is no history, or not from the beginning');
  if (!events.some((event) => kindOf(event) === 'workflowTaskStarted'))
    throw new HistoryError('no worker has taken the run up yet, so there is nothing to replay');
  return { history, events, workflowType, runId, workflowId: started.workflowId || 'unknown' };
}

function decoded(given: unknown): History {
  const events = typeof given === 'object' && given !== null && 'events' in given ? given.events : null;
  if (!Array.isArray(events) || events.length === 0)
    throw new HistoryError('it has no list of events; a history is {"events": […]}');
  // A fetched one counts its events in Longs, which JSON does not have.
  const { eventId } = (events[0] ?? {}) as HistoryEvent;
  if (typeof eventId === 'object' && eventId !== null) return given as History;
  try {
    return historyFromJSON(given);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 120) : String(error);
    throw new HistoryError(`it has something that no history has: ${why}`, { cause: error });
  }
}

const afterTaskStarted = new Set([
  'workflowTaskCompleted',
  'workflowTaskFailed',
  'workflowTaskTimedOut',
  'workflowExecutionTerminated',
  'workflowExecutionTimedOut',
]);

function requireWhole(events: HistoryEvent[]): void {
  const gap = events.findIndex((event, index) => idOf(event) !== index + 1);
  if (gap >= 0) throw new HistoryError(`event ${gap + 1} is missing: there must be all, numbered from 1`);
  events.forEach((event, index) => {
    if (attributesOf(event) === null) throw new HistoryError(`event ${index + 1} says nothing of what happened`);
    const next = events[index + 1];
    if (kindOf(event) === 'workflowTaskStarted' && next && !afterTaskStarted.has(kindOf(next)))
      throw new HistoryError(`event ${index + 2} cannot follow the one before it: the history was changed`);
  });
}
