import type { LiveEvent } from '../../domain/contracts/events.ts';
import type { EventsPort } from './port.ts';

type Listener = (event: LiveEvent) => void;

/**
 * Events for readers in the same process as the worker. Holds listeners only, never events: what nobody listens to is gone, and readers
 * take it from the run's own state.
 */
export function createInProcessEvents(): EventsPort {
  const listeners = new Map<string, Set<Listener>>();
  return {
    publish(workflowId, event) {
      const errors: unknown[] = [];
      for (const listener of [...(listeners.get(workflowId) ?? [])]) {
        try {
          listener(event);
        } catch (error) {
          errors.push(error);
        }
      }
      // After the last listener, so that one that fails does not keep the event from the others.
      if (errors.length > 0) throw new AggregateError(errors, 'a listener of run events failed');
    },
    subscribe(workflowId, listener) {
      // Wrapped, so that the same function subscribed twice is two subscriptions.
      const own: Listener = (event) => listener(event);
      const ofRun = listeners.get(workflowId) ?? new Set();
      listeners.set(workflowId, ofRun.add(own));
      return () => {
        ofRun.delete(own);
        if (ofRun.size === 0 && listeners.get(workflowId) === ofRun) listeners.delete(workflowId);
      };
    },
    async close() {
      listeners.clear();
    },
  };
}
