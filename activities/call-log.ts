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
 * attempt finds it, so that it is told although the attempt that made it failed or its worker died.
 */
export class CallLog {
  private readonly record: StepRecord;

  constructor({ calls, ...record }: StepRecord) {
    this.record = { ...record, calls: [...calls] };
  }

  add(call: UsageCall): void {
    this.record.calls.push(call);
    this.beat();
  }

  /** To be called before the query is sent. */
  sending(query: string): void {
    this.record.sent = query;
    this.beat();
  }

  get sent(): string | null {
    return this.record.sent ?? null;
  }

  beat(): void {
    Context.current().heartbeat(this.record);
  }

  all(): UsageCall[] {
    return [...this.record.calls];
  }

  /** For the details of a failure. */
  told(): StepRecord {
    return { ...this.record, calls: this.all() };
  }
}

/** The log of the running activity, begun with what its earlier attempts have paid for and sent. */
export function resumedCallLog(): CallLog {
  const details = Context.current().info.heartbeatDetails as Partial<StepRecord> | undefined;
  return new CallLog({ ...details, calls: details?.calls ?? [] });
}
