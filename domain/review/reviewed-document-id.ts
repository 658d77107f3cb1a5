/** Apart from the document's text, which workflows have no need of. */
export function reviewedDocumentId(questionId: string): string {
  return `reviewed/${questionId}`;
}
