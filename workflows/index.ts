export { answerQuestion } from './answer-question.ts';
export * from './ingest-documents.ts';
export { syncFolder } from './sync-folder.ts';
