import type { EventsPort } from '../adapters/store/port.ts';
import { PlumblineError } from '../client/failures.ts';
import type { FoundQuestion } from '../client/found-question.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import type { LiveEvent, StepEvent } from '../domain/contracts/events.ts';
import { WholeTexts } from './whole-texts.ts';

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
 * all. The run is asked at the start, when an event of the bus shows a gap, and when the bus is silent. Text comes from the bus alone, in the order
 * in which it arrives there; nothing waits for it.
 */
export class RunReader {
  private readonly options: RunReaderOptions;
  private readonly waiting = new Map<number, StepEvent>();
  private readonly ready: LiveEvent[] = [];
  private readonly texts = new WholeTexts();
  private last: number;
  private wake: () => void = () => undefined;
  private busHeard = false;
  private gap = false;

  constructor(options: RunReaderOptions) {
    this.options = options;
    this.last = options.after;
    // Whoever comes back may still show the beginning of a text that goes on, or has ended, without them.
    if (options.after > 0)
      this.ready.push({ type: 'text-reset', at: new Date().toISOString(), reason: 'the connection was lost' });
  }

  /** Ends after the terminal event, or when the signal is aborted. */
  async *events(): AsyncGenerator<LiveEvent> {
    const { found, events, signal } = this.options;
    const unsubscribe = events.subscribe(found.workflowId, (event) => this.hear(event));
    const onAbort = () => this.wake();
    signal.addEventListener('abort', onAbort);
    try {
      await this.catchUp();
      while (!signal.aborted) {
        for (let next = this.ready.shift(); next; next = this.ready.shift()) {
          yield next;
          if (isTerminal(next)) return;
        }
        const woken = await this.untilWoken();
        if (!signal.aborted && (!woken || this.gap)) await this.catchUp();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      unsubscribe();
    }
  }

  private hear(event: LiveEvent): void {
    this.busHeard = true;
    if ('seq' in event) {
      this.keep(event);
      this.gap = this.waiting.size > 0;
    } else {
      const passed = this.texts.pass(event);
      if (passed) this.ready.push(passed);
    }
    this.wake();
  }

  /** Puts an event, and those that waited for it, into the line; what is there already is left out. */
  private keep(event: StepEvent): void {
    if (event.seq > this.last) this.waiting.set(event.seq, event);
    for (let next = this.waiting.get(this.last + 1); next; next = this.waiting.get(this.last + 1)) {
      this.waiting.delete(next.seq);
      this.last = next.seq;
      this.ready.push(next);
    }
  }

  /** True when something can be sent or a gap was seen, false after the polling interval. */
  private untilWoken(): Promise<boolean> {
    if (this.ready.length > 0 || this.gap) return Promise.resolve(true);
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
    this.gap = false;
    const progress = await plumbline.progressOf(found, signal);
    const terminal = progress?.events.find(isTerminal);
    // The run was resumed meanwhile, and now ends under a number that the reader has had from the run before.
    if (terminal && terminal.seq <= this.last) this.ready.push(terminal);
    for (const event of progress?.events ?? []) this.keep(event);
    if (!terminal && !signal.aborted) await this.lookForSilentEnd(progress?.events.length ?? null);
  }

  /** A run that was terminated, timed out, or cannot be replayed any more cannot say that it ended: it is said for it. */
  private async lookForSilentEnd(told: number | null): Promise<void> {
    const { found, plumbline, signal } = this.options;
    try {
      const description = await plumbline.describe(found);
      if (description.status.name === 'RUNNING') return;
      const view = await plumbline.viewOf({ ...found, description }, signal);
      if (view.status === 'running' || view.status === 'awaiting_review') return;
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

function isTerminal(event: LiveEvent): boolean {
  return event.type === 'run-end' || event.type === 'run-error';
}
