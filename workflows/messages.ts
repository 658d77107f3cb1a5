import { defineQuery } from '@temporalio/workflow';
import type { RunProgress } from '../domain/contracts/run.ts';

/** The queue of all steps that use this house's own index and models. */
export const defaultTaskQueue = 'plumbline';

/** The queue of the web searches of runs on a queue: they have one of their own, so that it can be given a rate. */
export function webQueueOf(taskQueue: string): string {
  return `${taskQueue}-web`;
}

/** The queue of pages that a browser is to read, for workers that have one. */
export function browserQueueOf(taskQueue: string): string {
  return `${taskQueue}-browser`;
}

/** What the run has done so far: step, evidence, ledger and all events since its start. Answers after the run has ended, too. */
export const progressQuery = defineQuery<RunProgress>('progress');
