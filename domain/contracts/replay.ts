/** Where a recorded run and the present code part ways. */
export interface Divergence {
  /** Number of the event in the history; null when it is not known, or when the recorded run has not come so far. */
  eventId: number | null;
  /** The step of that event, or the activity's type where it is no step of a question; null for what is no activity. */
  step: string | null;
  /** What the history has there. */
  expected: string;
  /** What the present code did instead. */
  found: string;
  /** In Temporal's words. */
  message: string;
}

/** A run's recorded history against the present code. */
export interface ReplayReport {
  workflowId: string;
  runId: string;
  workflowType: string;
  /** How many events the history has. */
  events: number;
  ok: boolean;
  divergence: Divergence | null;
}
