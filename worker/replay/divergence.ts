import type { Divergence } from '../../domain/contracts/replay.ts';
import {
  activityTypeOf,
  idOf,
  inWords,
  isOfTheCode,
  localActivityOf,
  stepOf,
  type HistoryEvent,
} from './history-event.ts';

/** How far the code has come: the last step that it began, and how many events the history had then. */
export interface Trace {
  step: string | null;
  historyLength: number;
}

/** Finds the place from the words of a replay that failed: the SDK tells it nowhere else. */
export function divergenceOf(failure: string, { events, trace }: { events: HistoryEvent[]; trace: Trace }): Divergence {
  const message = messageOf(failure);
  const event = placeOf(message, { events, trace });
  const expected = event === null ? 'nothing: the recorded run has not come so far' : inWords(event);
  const activity = event && activityTypeOf(event);
  return {
    eventId: event && idOf(event),
    step: activity === null ? null : stepOf(activity),
    expected,
    found: foundIn(message, { expected, trace }),
    message,
  };
}

/** The message within the failure that the SDK prints around it; without the dump of an event, which has texts of the run. */
function messageOf(failure: string): string {
  const quoted = /message: "((?:[^"\\]|\\.)*)"/.exec(failure)?.[1] ?? failure;
  const [line = ''] = quoted.replace(/\\(["'\\])/g, '$1').split(/\n|\\n/);
  return line.replace(/HistoryEvent \{ event_id: (\d+).*/, 'HistoryEvent(id: $1)').slice(0, 300);
}

function placeOf(message: string, { events, trace }: { events: HistoryEvent[]; trace: Trace }): HistoryEvent | null {
  const id = /HistoryEvent\(id: (\d+)/.exec(message)?.[1];
  if (id !== undefined) return events[Number(id) - 1] ?? null;
  const seq = /LocalActivity\((\d+)\)/.exec(message)?.[1];
  if (seq !== undefined) return events.find((event) => localActivityOf(event)?.seq === Number(seq)) ?? null;
  const ahead = events.filter((event) => idOf(event) > trace.historyLength && isOfTheCode(event));
  const type = /Activity type of (?:scheduled event|recorded marker) '(.+?)'/.exec(message)?.[1];
  return ahead.find((event) => type === undefined || activityTypeOf(event) === type) ?? null;
}

/** By the SDK's names of what the code asked for. */
const asked: Record<string, string> = {
  Timer: 'a timer',
  'Complete workflow': 'the end of the run',
  'Fail workflow': 'the failure of the run',
  'Cancel workflow': 'the cancellation of the run',
  'Continue as new workflow': 'the next run of the chain',
  'Child workflow': 'a child workflow',
  Change: 'a patch',
  Update: 'an update',
  UpsertWorkflowSearchAttributes: 'a change of search attributes',
  ModifyWorkflowProperties: 'a change of the memo',
};

function foundIn(message: string, { expected, trace }: { expected: string; trace: Trace }): string {
  const other = /activity type of (?:local )?activity command '(.+?)'/.exec(message)?.[1];
  if (other !== undefined) return `the step ${stepOf(other)}`;
  if (message.includes('No command scheduled for event')) return 'nothing';
  const machine = /(?:^|: )([A-Z][A-Za-z ]*?) ?[mM]achine (?:does not|cannot) handle/.exec(message)?.[1];
  if (machine !== undefined && machine in asked) return asked[machine] as string;
  if (!/Nondeterminism error/.test(message)) return `an error: ${message}`;
  if (trace.step === null) return 'something else';
  const step = `the step ${trace.step}`;
  return step === expected ? `${step}, run in another way` : step;
}
