import { JSONParser } from '@streamparser/json';
import { draftAnswerSchema, type DraftStatement } from '../../domain/prompting/draft-answer.ts';

export interface StatementListener {
  /** New characters of a statement's text, never a part of an escape or of a surrogate pair. `index` counts from 0. */
  onText?: (piece: string, index: number) => void;
  /** A statement that is there with its sources. */
  onStatement?: (statement: DraftStatement, index: number) => void;
}

const statementSchema = draftAnswerSchema.shape.statements.element;

/**
 * Reads the statements of an answer while its JSON comes in pieces, cut anywhere. What precedes the first brace (a ``` fence) is passed over. From
 * the first fault in the JSON on it is silent: whoever has the whole text decides what to make of that.
 */
export class StatementReader {
  private readonly parser = new JSONParser({
    paths: ['$.statements.*.text', '$.statements.*'],
    emitPartialTokens: true,
    emitPartialValues: true,
  });
  private readonly listener: StatementListener;
  private index = -1;
  private told = 0;
  private textComplete = false;
  private begun = false;
  private broken = false;

  constructor(listener: StatementListener) {
    this.listener = listener;
    this.parser.onValue = ({ value, key, stack, partial }) => {
      if (key === 'text') this.readText(value, { index: Number(stack.at(-1)?.key), complete: !partial });
      else if (!partial) this.readStatement(value, Number(key));
    };
    this.parser.onError = () => {
      this.broken = true;
    };
  }

  write(piece: string): void {
    const from = this.begun ? 0 : piece.indexOf('{');
    if (from < 0 || this.broken || this.parser.isEnded) return;
    this.begun = true;
    this.parser.write(piece.slice(from));
  }

  private readText(value: unknown, { index, complete }: { index: number; complete: boolean }): void {
    if (typeof value !== 'string') return;
    if (index !== this.index) {
      this.index = index;
      this.told = 0;
      this.textComplete = false;
    }
    // A second text in one statement: the first has been told.
    if (this.textComplete) return;
    this.textComplete = complete;
    const piece = value.slice(this.told);
    this.told = value.length;
    if (piece !== '') this.listener.onText?.(piece, index);
  }

  private readStatement(value: unknown, index: number): void {
    const { success, data } = statementSchema.safeParse(value);
    if (success) this.listener.onStatement?.(data, index);
  }
}
