import type { ServerResponse } from 'node:http';
import type { Answer, Cut, ModelAnswer } from './answers.ts';
import type { JournalEntry } from './journal.ts';
import { wireOf } from './wire.ts';

/** Sends a scripted answer. Ends early, and without an error, when the client goes away. */
export async function send(entry: JournalEntry, answer: Answer, res: ServerResponse): Promise<void> {
  if (answer.waitMs) await pause(res, answer.waitMs);
  if (res.destroyed) return;
  if ('hangUp' in answer) return hangUp(res, answer.hangUp);
  if ('status' in answer) {
    const { status, headers = {}, body } = answer;
    const isText = typeof body === 'string';
    const type =
      isText && /^(event|data):/.test(body) ? 'text/event-stream' : isText ? 'text/html' : 'application/json';
    start(entry, res, { status, type, headers });
    res.end(isText ? body : JSON.stringify(body));
    return;
  }
  if ('vectors' in answer) {
    const data = answer.vectors.map((embedding, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(entry, embedding),
    }));
    const tokens = entry.request.inputs.join(' ').length / 4;
    const usage = { prompt_tokens: Math.ceil(tokens), total_tokens: Math.ceil(tokens) };
    return json(entry, res, { object: 'list', model: entry.request.model, data, usage });
  }
  if ('results' in answer) {
    const results = answer.results.map((hit) => ({ score: 0.9, raw_content: null, ...hit }));
    const rest = {
      follow_up_questions: null,
      answer: null,
      images: [],
      response_time: 0.1,
      request_id: `web-${entry.n}`,
    };
    return json(entry, res, { query: entry.request.query, results, ...rest });
  }
  if (entry.request.stream) return stream(entry, answer, res);
  const { body } = wireOf(entry.request, answer);
  if (!answer.cut) return json(entry, res, body);
  const text = JSON.stringify(body);
  const headers = { 'content-length': String(Buffer.byteLength(text)) };
  start(entry, res, { status: 200, type: 'application/json', headers });
  await written(res, text.slice(0, text.length / 2));
  // In good order a body that is too short for its length cannot end.
  if (answer.cut.by === 'close') hangUp(res, 'close');
  else cutOff(res, answer.cut);
}

async function stream(entry: JournalEntry, answer: ModelAnswer, res: ServerResponse): Promise<void> {
  const { head, pieces, tail, errorEvent } = wireOf(entry.request, answer);
  start(entry, res, { status: 200, type: 'text/event-stream', headers: { 'cache-control': 'no-cache' } });
  await written(res, head.join(''));
  for (const piece of pieces) {
    if (answer.cut && entry.pieces >= answer.cut.afterPieces) break;
    if (entry.pieces > 0 && answer.pieceMs) await pause(res, answer.pieceMs);
    if (res.destroyed) return;
    await written(res, piece);
    entry.pieces++;
  }
  if (!answer.cut) {
    res.end(tail.join(''));
    return;
  }
  if (typeof answer.cut.by === 'object') await written(res, errorEvent(answer.cut.by.event));
  cutOff(res, answer.cut);
}

function cutOff(res: ServerResponse, { by }: Cut): void {
  if (by === 'stall') return;
  if (by === 'reset') hangUp(res, 'reset');
  else res.end();
}

function hangUp(res: ServerResponse, how: 'close' | 'reset'): void {
  if (how === 'reset') res.socket?.resetAndDestroy();
  else res.destroy();
}

function json(entry: JournalEntry, res: ServerResponse, body: unknown): void {
  start(entry, res, { status: 200, type: 'application/json', headers: {} });
  res.end(JSON.stringify(body));
}

function start(
  entry: JournalEntry,
  res: ServerResponse,
  { status, type, headers }: { status: number; type: string; headers: Record<string, string> },
): void {
  entry.status = status;
  const id = entry.request.protocol === 'anthropic' ? 'request-id' : 'x-request-id';
  res.writeHead(status, { 'content-type': type, [id]: `req_${entry.n}`, ...headers });
}

/** Waits, but not for a client that has gone. */
function pause(res: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      res.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    res.once('close', done);
  });
}

/** Waits until the bytes have left, so that a following reset does not swallow them. */
function written(res: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => res.write(text, () => resolve()));
}

function encoded(entry: JournalEntry, vector: number[]): number[] | string {
  if (entry.request.body['encoding_format'] !== 'base64') return vector;
  return Buffer.from(new Float32Array(vector).buffer).toString('base64');
}
