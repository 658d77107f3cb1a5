import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { AnswerQuestionInput } from '../domain/contracts/run.ts';
import { waitNote } from '../domain/rules/may-wait.ts';
import type { answerQuestion } from '../workflows/answer-question.ts';
import { defaultTaskQueue } from '../workflows/messages.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import type { AskedMemo } from './asker.ts';
import { callTemporal } from './temporal-calls.ts';

/**
 * Starts the run of a question, or finds the one that goes on under this id: its run id. Null when a run under this id has ended already.
 */
export async function startQuestion(
  client: Client,
  { workflowId, input, memo }: { workflowId: string; input: AnswerQuestionInput; memo: AskedMemo },
): Promise<string | null> {
  const { access, policy, question } = input;
  const start = () =>
    client.workflow.start<typeof answerQuestion>('answerQuestion', {
      workflowId,
      taskQueue: defaultTaskQueue,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: summaryOf(question),
      memo: { ...memo, ...waitNote(policy) },
      priority: { fairnessKey: access.tenant },
      typedSearchAttributes: new TypedSearchAttributes([
        { key: searchAttributes.tenant, value: access.tenant },
        { key: searchAttributes.policy, value: policy.name },
        { key: searchAttributes.status, value: 'running' },
        ...(memo.forkOf === undefined ? [] : [{ key: searchAttributes.forkOf, value: memo.forkOf }]),
      ]),
    });
  try {
    return (await callTemporal(client, start)).firstExecutionRunId;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

/** One line for the Temporal UI, which takes 400 bytes. */
function summaryOf(question: string): string {
  return question.replace(/\s+/gu, ' ').slice(0, 120).toWellFormed();
}
