import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { Worker, type InjectedSinks, type NativeConnection } from '@temporalio/worker';
import type { AnswerActivities } from '../../activities/index.ts';
import type { StepEvent, TextEvent } from '../../domain/contracts/events.ts';
import { policySchema, type Policy } from '../../domain/contracts/policy.ts';
import { questionWorkflowId } from '../../domain/rules/workflow-ids.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import type { answerQuestion } from '../../workflows/answer-question.ts';
import type { EventSinks } from '../../workflows/answer/state.ts';

export const defaultPolicy = policySchema.parse(
  JSON.parse(readFileSync(new URL('../../policies/default.json', import.meta.url), 'utf8')),
);

export const access = { tenant: 'test', user: 'tester', groups: ['staff'] };

export const bundle = () => workflowBundle(join(tmpdir(), 'plumbline-test-bundles'));

/** A worker for questions with the given steps; live events are collected by workflow id, steps and texts apart. */
export async function questionWorker(options: {
  connection: NativeConnection;
  taskQueue: string;
  activities: Partial<AnswerActivities>;
}): Promise<{ worker: Worker; events: Map<string, StepEvent[]>; texts: Map<string, TextEvent[]> }> {
  const events = new Map<string, StepEvent[]>();
  const texts = new Map<string, TextEvent[]>();
  const sinks: InjectedSinks<EventSinks> = {
    events: {
      publish: {
        fn: ({ workflowId }, event) => {
          if ('seq' in event) events.set(workflowId, [...(events.get(workflowId) ?? []), event]);
          else texts.set(workflowId, [...(texts.get(workflowId) ?? []), event]);
        },
        callDuringReplay: false,
      },
    },
  };
  const worker = await Worker.create({
    ...options,
    namespace: 'default',
    workflowBundle: await bundle(),
    sinks,
    // As the product's worker has it.
    maxHeartbeatThrottleInterval: '1s',
  });
  return { worker, events, texts };
}

export function startQuestion(
  client: Client,
  options: { taskQueue: string; question?: string; policy?: Policy },
): Promise<WorkflowHandle<typeof answerQuestion>> {
  return client.workflow.start<typeof answerQuestion>('answerQuestion', {
    taskQueue: options.taskQueue,
    workflowId: questionWorkflowId(access.tenant, randomUUID()),
    args: [{ question: options.question ?? 'What is the late fee?', access, policy: options.policy ?? defaultPolicy }],
  });
}
