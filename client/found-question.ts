import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Access } from '../domain/contracts/access.ts';
import { questionWorkflowId } from '../domain/rules/workflow-ids.ts';
import type { answerQuestion } from '../workflows/answer-question.ts';
import { readableMemo, type AskedMemo } from './asker.ts';
import { PlumblineError } from './failures.ts';
import { callTemporal } from './temporal-calls.ts';

export type QuestionHandle = WorkflowHandle<typeof answerQuestion>;

/** The run under a question's id, whoever may see it. */
export interface QuestionRun {
  id: string;
  workflowId: string;
  description: WorkflowExecutionDescription;
  handle: QuestionHandle;
}

/** A run that a reader may see. */
export interface FoundQuestion extends QuestionRun {
  memo: AskedMemo;
}

/** The run of a question. @throws PlumblineError `Question.NotFound`, also when this reader may not see it */
export async function findQuestion(client: Client, access: Access, id: string): Promise<FoundQuestion> {
  const run = await questionRun(client, access.tenant, id);
  const memo = run && readableMemo(access, run.description.memo);
  if (run === null || memo === null) throw notFound(id);
  return { ...run, memo };
}

/** Null when this tenant has no such question. @throws PlumblineError `Temporal.Unavailable` */
export async function questionRun(client: Client, tenant: string, id: string): Promise<QuestionRun | null> {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) return null;
  const workflowId = questionWorkflowId(tenant, id);
  const handle: QuestionHandle = client.workflow.getHandle<typeof answerQuestion>(workflowId);
  try {
    return { id, workflowId, handle, description: await callTemporal(client, () => handle.describe()) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

export function notFound(id: string): PlumblineError {
  return new PlumblineError('Question.NotFound', `there is no question ${id} that you may see`);
}
