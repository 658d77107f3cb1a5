import { Context } from '@temporalio/activity';
import type { UsageCall } from '../domain/contracts/answer.ts';

/** What a step's attempts leave behind, whether they succeed, fail or time out. */
export interface StepRecord {
  calls: UsageCall[];
  /** The query that left the house. */
  sent?: string;
}

/**
 * The model calls of a step and the query it sent, those of earlier attempts included: each is written into the activity's heartbeat, where the next
 * attempt finds it, so that it is told although the attempt that made it failed or its worker died. A call stands there from its begin: one that was
 * in flight when its worker died stays in the bill, estimated.
 */
export class CallLog {
  private readonly record: StepRecord;
  private readonly inFlight = new Set<UsageCall>();

  constructor({ calls, ...record }: StepRecord) {
    this.record = { ...record, calls: [...calls] };
  }

  /**
   * To be called before the request is made, with what the call costs at least. What it returns is to be called when the call has ended:
   * with what it did cost, or null where it cost nothing.
   */
  begin(estimate: UsageCall): (ended: UsageCall | null) => void {
    this.inFlight.add(estimate);
    this.beat();
    return (ended) => {
      this.inFlight.delete(estimate);
      if (ended !== null) this.record.calls.push(ended);
      this.beat();
    };
  }

  /** To be called right before the query leaves. */
  sending(query: string): void {
    this.record.sent = query;
    this.beat();
  }

  get sent(): string | null {
    return this.record.sent ?? null;
  }

  beat(): void {
    Context.current().heartbeat(this.told());
  }

  /** The calls that have ended. */
  all(): UsageCall[] {
    return [...this.record.calls];
  }

  /** For the heartbeat and the details of a failure: with the calls in flight. */
  told(): StepRecord {
    return { ...this.record, calls: [...this.record.calls, ...this.inFlight] };
  }
}

/** The log of the running activity, begun with what its earlier attempts have paid for and sent. */
export function resumedCallLog(): CallLog {
  const details = Context.current().info.heartbeatDetails as Partial<StepRecord> | undefined;
  return new CallLog({ ...details, calls: details?.calls ?? [] });
}
