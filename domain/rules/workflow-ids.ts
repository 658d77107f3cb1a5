/** The question's id, of its run's workflow id. */
export function questionIdOf(tenant: string, workflowId: string): string {
  return workflowId.slice(questionWorkflowId(tenant, '').length);
}

/** The workflow id of a question. The tenant is part of it, so that nobody can address another tenant's run. */
export function questionWorkflowId(tenant: string, id: string): string {
  return `question.${tenant}.${id}`;
}

/** Of what publishes a question's review and of what withdraws it: only one of them goes on at a time. */
export function publicationWorkflowId(tenant: string, questionId: string): string {
  return `publication.${tenant}.${questionId}`;
}
