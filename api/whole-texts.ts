import type { TextEvent } from '../domain/contracts/events.ts';

/**
 * Lets text events through to one reader only as parts of a text that the reader has from its start. Who comes in the middle gets nothing of it
 * until the next `text-start`; who has begun one of which a piece is lost gets a `text-reset` and nothing more of it.
 */
export class WholeTexts {
  /** Length of what the reader has, in UTF-16 code units; null: nothing that stands. */
  private shown: number | null = null;
  private complete = false;
  private textId = '';

  /** What to send for an event, if anything. */
  pass(event: TextEvent): TextEvent | null {
    switch (event.type) {
      case 'text-start':
        this.shown = 0;
        this.complete = false;
        this.textId = event.textId;
        return event;
      case 'text-delta':
        if (this.shown === null) return null;
        if (this.complete || event.textId !== this.textId || event.offset !== this.shown) return this.lost(event.at);
        this.shown += event.text.length;
        return event;
      case 'text-end':
        if (this.shown === null) return null;
        if (this.complete || event.textId !== this.textId || event.length !== this.shown) return this.lost(event.at);
        this.complete = true;
        return event;
      case 'text-reset':
        if (this.shown === null) return null;
        this.shown = null;
        return event;
    }
  }

  private lost(at: string): TextEvent {
    this.shown = null;
    return { type: 'text-reset', at, reason: 'a part of the text was lost on its way' };
  }
}
