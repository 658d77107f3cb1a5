import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  executeChild,
  ParentClosePolicy,
  proxyActivities,
  setCurrentDetails,
  upsertMemo,
  uuid4,
} from '@temporalio/workflow';
import type { RunRef } from '../activities/ingestion/run.ts';
import type { LearningActivities } from '../activities/learning.ts';
import type { PublicationResult, PublishReviewInput } from '../domain/contracts/publication.ts';
import { reviewedDocumentId } from '../domain/review/reviewed-document-id.ts';
import { ingestDocuments } from './ingest-documents.ts';

const { writeReviewed } = proxyActivities<LearningActivities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '20s',
  // As for the steps of an ingestion: outlasts a restart of the index.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 8 },
});

/**
 * Makes what a reviewer gave a document of the corpus, through the normal ingestion; done again, the document is replaced. Fails with a dotted type
 * for what whoever publishes can mend (`Publication.GroupsNeeded`, …); a document that could not be taken in is a result.
 */
export async function publishReview(input: PublishReviewInput): Promise<PublicationResult> {
  const { tenant, user, groups: ownGroups, questionId } = input;
  const run: RunRef = { workflowId: `ingestion.${tenant}.${uuid4()}`, tenant, user, groups: ownGroups };
  try {
    const { file, groups, wider } = await writeReviewed({ run, publication: input });
    const { documents } = await executeChild(ingestDocuments, {
      workflowId: run.workflowId,
      args: [{ tenant, user, groups: ownGroups, source: { files: [file] }, options: input.ingestion }],
      // As if the user had started it: it can be looked up as any other.
      memo: { user, request: '', call: uuid4() },
      staticSummary: `reviewed answer ${questionId}`,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      priority: { fairnessKey: tenant },
    });
    const [report] = documents;
    const { state: status = 'failed', code, message } = report ?? {};
    const result: PublicationResult = {
      documentId: reviewedDocumentId(questionId),
      status,
      groups,
      wider,
      at: new Date(Date.now()).toISOString(),
      reason: status === 'failed' ? { code: code ?? 'Internal', message: message ?? '' } : null,
    };
    upsertMemo({ result });
    setCurrentDetails(story(result));
    return result;
  } catch (error) {
    throw reasonOf(error);
  }
}

/** The failure of the step itself, so that the run fails with its type. */
function reasonOf(error: unknown): unknown {
  const failed = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  if (!failed) return error;
  return error.cause instanceof ApplicationFailure ? error.cause : reasonOf(error.cause);
}

/** Markdown for the Temporal UI. */
function story({ documentId, status, groups, wider, reason }: PublicationResult): string {
  const readers = groups.length === 0 ? 'everybody of the tenant' : groups.join(', ');
  return [
    `### ${documentId}: ${status}`,
    ...(reason === null ? [] : [`${reason.code}: ${reason.message}`]),
    `Readers: ${readers}${wider ? ', wider than the evidence, as was allowed' : ''}`,
  ].join('\n\n');
}
