const prefix = 'reviewed/';

/** Apart from the document's text, which workflows have no need of. */
export function reviewedDocumentId(questionId: string): string {
  return `${prefix}${questionId}`;
}

/** Whether an id is kept for what reviewers gave: these documents change through the publication of their review only. */
export function isReviewedDocumentId(documentId: string): boolean {
  return documentId.startsWith(prefix);
}
