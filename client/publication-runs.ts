import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowNotFoundError, type Workflow } from '@temporalio/common';
import type { Access } from '../domain/contracts/access.ts';
import { reviewedDocumentId } from '../domain/review/reviewed-document-id.ts';
import { publicationWorkflowId } from '../domain/rules/workflow-ids.ts';
import { defaultTaskQueue } from '../workflows/messages.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { underWay } from './publication-failures.ts';
import { publicationMemo, publicationState, unpublished, type PublicationMemo } from './publication-view.ts';
import { callTemporal } from './temporal-calls.ts';

export interface PublicationStart<T extends Workflow> {
  id: string;
  type: 'publishReview' | 'withdrawReview';
  input: Parameters<T>[0];
  memo: Omit<PublicationMemo, 'questionId' | 'by' | 'before'>;
}

/**
 * Starts a run that publishes or withdraws, or joins the same one where it goes on.
 * @throws PlumblineError `Publication.UnderWay` while another one goes on; `Temporal.Unavailable`
 */
export async function beginPublication<T extends Workflow>(
  client: Client,
  { tenant, user }: Access,
  { id, type, input, memo }: PublicationStart<T>,
): Promise<WorkflowHandle<T>> {
  const workflowId = publicationWorkflowId(tenant, id);
  const newest = await newestPublication(client, tenant, id);
  const { published: before } = newest === null ? unpublished : publicationState(newest);
  const { firstExecutionRunId } = await callTemporal(client, () =>
    client.workflow.start(type, {
      workflowId,
      taskQueue: defaultTaskQueue,
      args: [input],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `${memo.action} ${reviewedDocumentId(id)}`,
      memo: { publication: { ...memo, questionId: id, by: user, before } },
      priority: { fairnessKey: tenant },
      typedSearchAttributes: new TypedSearchAttributes([{ key: searchAttributes.tenant, value: tenant }]),
    }),
  );
  const handle = client.workflow.getHandle<T>(workflowId, firstExecutionRunId);
  const started = await callTemporal(client, () => handle.describe());
  if (publicationMemo(started.memo)?.request !== memo.request) throw underWay();
  return handle;
}

/** The newest run that published or withdrew; null where none did. @throws PlumblineError `Temporal.Unavailable` */
export async function newestPublication(
  client: Client,
  tenant: string,
  id: string,
): Promise<WorkflowExecutionDescription | null> {
  const handle = client.workflow.getHandle(publicationWorkflowId(tenant, id));
  try {
    return await callTemporal(client, () => handle.describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
