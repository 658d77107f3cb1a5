import { setWorkflowOptions } from '@temporalio/workflow';
import { answerQuestion } from './answer-question.ts';
import { pinnedIfShort } from './versioning.ts';

setWorkflowOptions(pinnedIfShort, answerQuestion);

export { answerQuestion };
export { deliverNotification } from './deliver-notification.ts';
export { groupQuestions } from './group-questions.ts';
export * from './ingest-documents.ts';
export { publishReview } from './publish-review.ts';
export { syncFolder } from './sync-folder.ts';
export { withdrawReview } from './withdraw-review.ts';
