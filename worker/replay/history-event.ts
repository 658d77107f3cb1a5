import type { History } from '@temporalio/common/lib/proto-utils.js';
import { activityOf } from '../../domain/rules/step-activity.ts';

export type HistoryEvent = NonNullable<History['events']>[number];

const suffix = 'EventAttributes';

export function idOf({ eventId }: HistoryEvent): number {
  return Number(eventId ?? 0);
}

/** What kind of event it is, as `activityTaskScheduled`; '' for none that is known. */
export function kindOf(event: HistoryEvent): string {
  return keyOf(event)?.slice(0, -suffix.length) ?? '';
}

export function attributesOf(event: HistoryEvent): Record<string, unknown> | null {
  const key = keyOf(event);
  return key === undefined ? null : (event[key as keyof HistoryEvent] as Record<string, unknown>);
}

function keyOf(event: HistoryEvent): string | undefined {
  return Object.keys(event).find((key) => key.endsWith(suffix) && event[key as keyof HistoryEvent] != null);
}

/** The activity that an event schedules, or that it records as having run in the workflow's own task. */
export function activityTypeOf(event: HistoryEvent): string | null {
  return event.activityTaskScheduledEventAttributes?.activityType?.name ?? localActivityOf(event)?.type ?? null;
}

/** A local activity with its number within the run. */
export function localActivityOf({ markerRecordedEventAttributes: marker }: HistoryEvent): {
  seq: number;
  type: string;
} | null {
  if (marker?.markerName !== 'core_local_activity') return null;
  const { seq, activity_type: type } = dataOf(marker.details?.['data']) as { seq: number; activity_type: string };
  return { seq, type };
}

function patchOf({ markerRecordedEventAttributes: marker }: HistoryEvent): string | null {
  if (marker?.markerName !== 'core_patch') return null;
  return (dataOf(marker.details?.['patch-data']) as { id?: string }).id ?? '';
}

function dataOf(payloads: { payloads?: { data?: Uint8Array | null }[] | null } | undefined): unknown {
  const data = payloads?.payloads?.[0]?.data;
  return data == null ? {} : JSON.parse(Buffer.from(data).toString());
}

/** The domain's name of the step that an activity is, or the activity's own. */
export function stepOf(activityType: string): string {
  return Object.entries(activityOf).find(([, type]) => type === activityType)?.[0] ?? activityType;
}

const words: Record<string, string> = {
  timerStarted: 'a timer',
  timerCanceled: 'the end of a timer',
  activityTaskCancelRequested: 'the cancellation of a step',
  upsertWorkflowSearchAttributes: 'a change of search attributes',
  workflowPropertiesModified: 'a change of the memo',
  workflowExecutionCompleted: 'the end of the run',
  workflowExecutionFailed: 'the failure of the run',
  workflowExecutionCanceled: 'the cancellation of the run',
  workflowExecutionContinuedAsNew: 'the next run of the chain',
  workflowExecutionUpdateAccepted: 'an update taken in',
  workflowExecutionUpdateCompleted: 'the answer to an update',
  startChildWorkflowExecutionInitiated: 'a child workflow',
};

/** Whether the workflow's code brought the event about, so that a replay must come to it again. */
export function isOfTheCode(event: HistoryEvent): boolean {
  const kind = kindOf(event);
  return kind in words || kind === 'activityTaskScheduled' || kind === 'markerRecorded';
}

/** An event in words. */
export function inWords(event: HistoryEvent): string {
  const activity = activityTypeOf(event);
  if (activity !== null) return `the step ${stepOf(activity)}`;
  const patch = patchOf(event);
  if (patch !== null) return `the patch ${patch}`;
  const child = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType?.name;
  const kind = kindOf(event);
  return child ? `the child workflow ${child}` : (words[kind] ?? kind.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`));
}
