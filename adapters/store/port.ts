import type { StepEvent } from '../../domain/contracts/events.ts';

/** Carries live events of runs from workers to readers. May lose events: readers fill gaps from the run's own state. */
export interface EventsPort {
  publish(workflowId: string, event: StepEvent): void;
  /** Returns the unsubscribe function. */
  subscribe(workflowId: string, listener: (event: StepEvent) => void): () => void;
  close(): Promise<void>;
}
