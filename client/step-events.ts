import type { History } from '@temporalio/common/lib/proto-utils.js';
import { z } from 'zod';
import { activityOf } from '../domain/rules/step-activity.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';

export type HistoryEvent = NonNullable<History['events']>[number];
export type EventId = NonNullable<HistoryEvent['eventId']>;

/** A step as a run's history has it; `review`: the run turned to a person. */
export interface StartedStep {
  step: string;
  /** The workflow task whose commands started it. A reset to there starts it anew, with what the same task did just before. */
  task: EventId;
  /** Null for what the server did not schedule: local activities and reviews. */
  scheduledEvent: number | null;
  failed: boolean;
}

const stepOfActivity = new Map<string, string>(Object.entries(activityOf).map(([step, type]) => [type, step]));

/** The step that an event of a history begins (of a local activity there is only the event of its end); null for all other events. */
export function startedStep(event: HistoryEvent): StartedStep | null {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled) {
    const scheduledEvent = Number(event.eventId);
    return started(scheduled.activityType?.name, { scheduledEvent, task: scheduled.workflowTaskCompletedEventId });
  }
  const marker = event.markerRecordedEventAttributes;
  if (marker) {
    const failed = marker.failure != null;
    return started(localActivity(marker), { task: marker.workflowTaskCompletedEventId, failed });
  }
  const upsert = event.upsertWorkflowSearchAttributesEventAttributes;
  const task = upsert?.workflowTaskCompletedEventId;
  const status = upsert?.searchAttributes?.indexedFields?.[searchAttributes.status.name];
  if (!task || !status || json(status.data) !== 'awaiting_review') return null;
  return { step: 'review', task, scheduledEvent: null, failed: false };
}

/** The step that the failure of a run comes from, by the event that scheduled it, or by its name where it was a local activity. */
export function failureOrigin(event: HistoryEvent): { scheduledEvent: number | null; step: string | null } | null {
  let failure = event.workflowExecutionFailedEventAttributes?.failure;
  while (failure && !failure.activityFailureInfo) failure = failure.cause;
  const info = failure?.activityFailureInfo;
  if (!info) return null;
  return {
    scheduledEvent: Number(info.scheduledEventId ?? 0) || null,
    step: stepOfActivity.get(info.activityType?.name ?? '') ?? null,
  };
}

function started(
  type: string | null | undefined,
  found: { task: EventId | null | undefined; scheduledEvent?: number; failed?: boolean },
): StartedStep | null {
  const step = stepOfActivity.get(type ?? '');
  if (step === undefined || !found.task) return null;
  return { step, task: found.task, scheduledEvent: found.scheduledEvent ?? null, failed: found.failed ?? false };
}

/** What the SDK's core writes into the marker of a local activity; never encoded by a codec. */
const localActivitySchema = z.object({ activity_type: z.string() });

function localActivity(marker: NonNullable<HistoryEvent['markerRecordedEventAttributes']>): string | null {
  if (marker.markerName !== 'core_local_activity') return null;
  const data = json(marker.details?.['data']?.payloads?.[0]?.data);
  return localActivitySchema.safeParse(data).data?.activity_type ?? null;
}

function json(data: Uint8Array | null | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(data ?? []).toString());
  } catch {
    // Another SDK's or a later version's form: not one of our steps.
    return null;
  }
}
