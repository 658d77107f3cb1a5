import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { EventsPort } from '../adapters/store/port.ts';
import type { TextEvent } from '../domain/contracts/events.ts';
import { visibleText } from '../domain/text/normalise.ts';

type Untimed<E> = E extends TextEvent ? Omit<E, 'at'> : never;

/** Least time between two pieces: readers need no more of them, and each is a message on the bus. */
const intervalMs = 20;

/**
 * The text of the running activity as its readers see it grow. The first piece leaves at once, those after it bundled. A text that has begun
 * ends with `end` or is taken back with `reset`.
 */
export class TextStream {
  private readonly publish: (event: Untimed<TextEvent>) => void;
  private begun = false;
  private textId = '';
  private sent = 0;
  private buffer = '';
  private lastAt = -Infinity;
  private timer: NodeJS.Timeout | null = null;

  constructor(publish: (event: Untimed<TextEvent>) => void) {
    this.publish = publish;
  }

  /** Takes a piece, of which readers get what can be seen; it must not end within a surrogate pair. */
  add(piece: string): void {
    const seen = visibleText(piece);
    if (seen === '') return;
    if (!this.begun) {
      this.begun = true;
      this.textId = randomUUID();
      this.publish({ type: 'text-start', textId: this.textId });
    }
    this.buffer += seen;
    const wait = this.lastAt + intervalMs - performance.now();
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), wait);
  }

  end(): void {
    if (!this.begun) return;
    this.flush();
    this.publish({ type: 'text-end', textId: this.textId, length: this.sent });
    this.clear();
  }

  /** Takes back what was shown. `always`: also what an earlier attempt may have shown. */
  reset(reason: string, { always = false }: { always?: boolean } = {}): void {
    if (this.begun || always) this.publish({ type: 'text-reset', reason });
    this.clear();
  }

  private flush(): void {
    this.stopTimer();
    if (this.buffer === '') return;
    const text = this.buffer;
    this.publish({ type: 'text-delta', textId: this.textId, offset: this.sent, text });
    this.buffer = '';
    this.sent += text.length;
    this.lastAt = performance.now();
  }

  private clear(): void {
    this.stopTimer();
    this.begun = false;
    this.sent = 0;
    this.buffer = '';
    this.lastAt = -Infinity;
  }

  private stopTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}

/** The text of the running activity's run. A bus that fails costs its readers the text, never the run its answer. */
export function textOfRun(events: Pick<EventsPort, 'publish'>): TextStream {
  const { info, log } = Context.current();
  const workflowId = info.workflowExecution?.workflowId;
  return new TextStream((event) => {
    if (workflowId === undefined) return;
    try {
      events.publish(workflowId, { ...event, at: new Date().toISOString() });
    } catch (error) {
      log.warn('a piece of text could not be published', { error });
    }
  });
}
