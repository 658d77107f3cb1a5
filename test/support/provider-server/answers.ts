/** Tokens that the server tells for a call; `input` is all that was read, the cache's share included. */
export interface ScriptedUsage {
  input: number;
  output: number;
  cached?: number;
  cacheWrite?: number;
}

/**
 * How an answer breaks off after so many of its pieces (without streaming: after half of its body). `close`: the connection ends in good
 * order but without an end mark; `reset`: it is torn down; `stall`: it stays open and silent; `event`: an error event inside of the 200.
 */
export interface Cut {
  afterPieces: number;
  by: 'close' | 'reset' | 'stall' | { event: unknown };
}

/** What a model says; sent in the form of the protocol that was asked in, whole or as a stream. */
export interface ModelAnswer {
  /** Text, or a value that is sent as JSON. */
  says: unknown;
  /** The provider's own word, e.g. `length` or `max_tokens`; by default the one for a whole answer. */
  finish?: string | null;
  /** Said in place of an answer: OpenAI's refusal text. For Anthropic set `finish: 'refusal'`. */
  refusal?: string;
  /** Null: none is told. By default a quarter of the characters. */
  usage?: ScriptedUsage | null;
  /** Before the first byte. */
  waitMs?: number;
  /** Into so many pieces a stream is cut; by default 4. */
  pieces?: number;
  /** Between two pieces. */
  pieceMs?: number;
  cut?: Cut;
}

/** Sent as it is: failures, fixtures, and what is no answer at all. */
export interface RawAnswer {
  status: number;
  headers?: Record<string, string>;
  /** Text, or a value that is sent as JSON. */
  body: unknown;
  waitMs?: number;
}

/** The connection ends before any answer. */
export interface HangUp {
  hangUp: 'close' | 'reset';
  waitMs?: number;
}

export interface VectorAnswer {
  vectors: number[][];
  waitMs?: number;
}

export interface WebAnswer {
  results: { title: string; url: string; content: string; score?: number; raw_content?: string | null }[];
  waitMs?: number;
}

export type Answer = ModelAnswer | RawAnswer | HangUp | VectorAnswer | WebAnswer;

/** A failure in the body of the protocol's own form. */
export function failure(
  protocol: 'openai' | 'anthropic',
  status: number,
  error: {
    type?: string;
    code?: string | number | null;
    param?: string | null;
    message?: string;
    headers?: Record<string, string>;
  } = {},
): RawAnswer {
  const {
    headers = {},
    type = 'invalid_request_error',
    message = 'scripted failure',
    code = null,
    param = null,
  } = error;
  const body =
    protocol === 'anthropic'
      ? { type: 'error', error: { type, message }, request_id: 'req_scripted' }
      : { error: { message, type, param, code } };
  return { status, headers, body };
}

export function textOf(says: unknown): string {
  return typeof says === 'string' ? says : JSON.stringify(says);
}

/** The text in `count` pieces that differ in length by at most one code point. */
export function piecesOf(text: string, count = 4): string[] {
  const points = [...text];
  const pieces = Array.from({ length: Math.max(1, count) }, (_, i) =>
    points.slice(Math.round((i * points.length) / count), Math.round(((i + 1) * points.length) / count)).join(''),
  );
  return pieces.filter((piece) => piece !== '');
}
