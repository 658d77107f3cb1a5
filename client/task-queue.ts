import type { Client } from '@temporalio/client';

/** Temporal's `TaskQueueType`; its generated enum cannot be imported by name from an ES module. */
const taskQueueTypes = { workflow: 1, activity: 2 };
/** A worker's long poll lasts a minute at most, so one that has not asked for longer is gone. */
const aliveMs = 70_000;

/** Whether any worker asked this queue for workflow tasks and for activities within the last poll's time. */
export async function taskQueuePollers(client: Client, taskQueue: string): Promise<boolean> {
  const polled = await Promise.all(
    Object.values(taskQueueTypes).map(async (taskQueueType) => {
      const request = { namespace: client.options.namespace, taskQueue: { name: taskQueue }, taskQueueType };
      const { pollers } = await client.workflowService.describeTaskQueue(request);
      return pollers.some(({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < aliveMs);
    }),
  );
  return polled.every(Boolean);
}
