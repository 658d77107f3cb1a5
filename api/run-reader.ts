import type { EventsPort } from '../adapters/store/port.ts';
import { PlumblineError } from '../client/failures.ts';
import type { FoundQuestion, PlumblineClient } from '../client/plumbline-client.ts';
import type { StepEvent } from '../domain/contracts/events.ts';

interface RunReaderOptions {
  found: FoundQuestion;
  plumbline: PlumblineClient;
  events: EventsPort;
  pollMs: number;
  after: number;
  signal: AbortSignal;
}

/** A bus that has brought events of this run makes asking the run that many times more seldom. */
const trustInBus = 5;

/**
 * The events of one run, in order and without gaps, from two sources: the bus, which is quick and may lose some, and the run itself, which knows
 * all. The run is asked at the start, when an event of the bus shows a gap, and when the bus is silent.
 */
export class RunReader {
  private readonly options: RunReaderOptions;
  private readonly waiting = new Map<number, StepEvent>();
  private last: number;
  private wake: () => void = () => undefined;
  private busHeard = false;

  constructor(options: RunReaderOptions) {
    this.options = options;
    this.last = options.after;
  }

  /** Ends after the terminal event, or when the signal is aborted. */
  async *events(): AsyncGenerator<StepEvent> {
    const { found, events, signal } = this.options;
    const unsubscribe = events.subscribe(found.workflowId, (event) => {
      this.busHeard = true;
      this.keep(event);
      this.wake();
    });
    const onAbort = () => this.wake();
    signal.addEventListener('abort', onAbort);
    try {
      await this.catchUp();
      while (!signal.aborted) {
        for (let next = this.take(); next; next = this.take()) {
          yield next;
          if (isTerminal(next)) return;
        }
        const bus = await this.untilWoken();
        if (!signal.aborted && (!bus || !this.waiting.has(this.last + 1))) await this.catchUp();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      unsubscribe();
    }
  }

  private keep(event: StepEvent): void {
    if (event.seq > this.last) this.waiting.set(event.seq, event);
  }

  private take(): StepEvent | undefined {
    const event = this.waiting.get(this.last + 1);
    if (event) {
      this.waiting.delete(event.seq);
      this.last = event.seq;
    }
    return event;
  }

  /** True when an event came, false after the polling interval. */
  private untilWoken(): Promise<boolean> {
    if (this.waiting.has(this.last + 1)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (woken: boolean) => {
        clearTimeout(timer);
        this.wake = () => undefined;
        resolve(woken);
      };
      const timer = setTimeout(() => done(false), this.options.pollMs * (this.busHeard ? trustInBus : 1));
      this.wake = () => done(true);
    });
  }

  /** Takes what the run itself tells. While Temporal or the worker is away nothing comes, and the next round tries again. */
  private async catchUp(): Promise<void> {
    const { found, plumbline, signal } = this.options;
    const progress = await plumbline.progressOf(found, signal);
    for (const event of progress?.events ?? []) this.keep(event);
    const terminal = progress?.events.some(isTerminal) ?? false;
    if (!terminal && !signal.aborted) await this.lookForSilentEnd(progress?.events.length ?? null);
  }

  /** A run that was terminated, timed out, or cannot be replayed any more cannot say that it ended: it is said for it. */
  private async lookForSilentEnd(told: number | null): Promise<void> {
    const { found, plumbline, signal } = this.options;
    try {
      const description = await plumbline.describe(found);
      if (description.status.name === 'RUNNING') return;
      const view = await plumbline.viewOf({ ...found, description }, signal);
      if (view.status === 'running') return;
      const stamp = { seq: Math.max(told ?? 0, this.highestKept()) + 1, at: new Date().toISOString() };
      if (view.status === 'failed')
        this.keep({ ...stamp, type: 'run-error', reason: view.reason.code, message: view.reason.message });
      else if (view.status === 'cancelled')
        this.keep({ ...stamp, type: 'run-error', reason: 'Run.Cancelled', message: 'The run was cancelled.' });
      else this.keep({ ...stamp, type: 'run-end', status: view.status });
    } catch (error) {
      if (!(error instanceof PlumblineError)) throw error;
    }
  }

  private highestKept(): number {
    return Math.max(this.last, ...this.waiting.keys());
  }
}

function isTerminal(event: StepEvent): boolean {
  return event.type === 'run-end' || event.type === 'run-error';
}
