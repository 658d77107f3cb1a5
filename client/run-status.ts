/**
 * How a question stands, from Temporal's word for its run and the run's own (its search attribute): Temporal's where the run could not say it.
 */
export function statusOf(execution: string, said: string | null): string {
  if (execution === 'RUNNING') return said === 'awaiting_review' ? said : 'running';
  if (execution === 'COMPLETED') return said ?? 'completed';
  return execution === 'CANCELLED' ? 'cancelled' : 'failed';
}
