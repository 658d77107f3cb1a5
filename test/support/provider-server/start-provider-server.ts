import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer, RawAnswer, HangUp } from './answers.ts';
import type { JournalEntry } from './journal.ts';
import { protocolOf, readRequest, type ProviderRequest, type Protocol } from './request.ts';
import { send } from './send.ts';

export interface ProviderServerOptions {
  /** Says what a call is answered; a call that it has no answer for gets a 400 that says so. */
  respond: (request: ProviderRequest) => Answer | undefined | Promise<Answer | undefined>;
  /** Has this share (0–1) of the calls fail in these ways in turn, in an order that the seed fixes. */
  chaos?: { share: number; failures: (RawAnswer | HangUp)[]; seed?: number };
}

export interface ProviderServer {
  /** Base addresses as each provider's SDK wants them. */
  openaiUrl: string;
  anthropicUrl: string;
  tavilyUrl: string;
  /** All calls so far, in order of arrival. */
  journal: JournalEntry[];
  /** How many calls came, of one protocol or of all. */
  calls: (protocol?: Protocol) => number;
  /** Answers from here on. */
  respondWith: (respond: ProviderServerOptions['respond']) => void;
  /** Forgets the calls so far. */
  clear: () => void;
  close: () => Promise<void>;
}

/**
 * A server on a free port of this machine that speaks the chat protocols of OpenAI and Anthropic (plain and streamed), OpenAI's embeddings and
 * Tavily's search, answers as it is scripted to, and keeps a journal.
 */
export async function startProviderServer(options: ProviderServerOptions): Promise<ProviderServer> {
  let { respond } = options;
  const journal: JournalEntry[] = [];
  const started = performance.now();
  const now = () => performance.now() - started;
  const chaos = options.chaos && unreliable(options.chaos);

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    const protocol = protocolOf(pathname);
    const body = await text(req);
    if (req.method === 'GET' && pathname.endsWith('/models')) return reply(res, 200, { object: 'list', data: [] });
    if (req.method !== 'POST' || protocol === null) return reply(res, 404, { error: { message: 'no such route' } });
    const n = journal.length + 1;
    const request = readRequest(protocol, { path: pathname, headers: req.headers, body, call: n });
    const ended = Promise.withResolvers<void>();
    const entry: JournalEntry = {
      n,
      request,
      at: now(),
      status: null,
      pieces: 0,
      endedAt: null,
      closedEarly: false,
      ended: ended.promise,
    };
    journal.push(entry);
    let hungUpHere = false;
    res.on('close', () => {
      entry.endedAt = now();
      entry.closedEarly = !res.writableFinished && !hungUpHere;
      ended.resolve();
    });
    const answer = chaos?.() ?? (await respond(request)) ?? unscripted(request);
    hungUpHere = 'hangUp' in answer || ('cut' in answer && answer.cut !== undefined && answer.cut.by !== 'stall');
    await send(entry, answer, res);
  }

  const server = createServer((req, res) => {
    serve(req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else reply(res, 400, { error: { message: `the scripted server failed: ${String(error)}` } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    openaiUrl: `${origin}/v1`,
    anthropicUrl: origin,
    tavilyUrl: origin,
    journal,
    calls: (protocol) => journal.filter(({ request }) => !protocol || request.protocol === protocol).length,
    respondWith: (next) => {
      respond = next;
    },
    clear: () => {
      journal.length = 0;
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

function reply(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

function unscripted({ protocol, schemaName }: ProviderRequest): RawAnswer {
  const message = `no answer is scripted for ${protocol} ${schemaName ?? ''}`;
  return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
}

function unreliable({ share, failures, seed = 1 }: NonNullable<ProviderServerOptions['chaos']>) {
  let state = seed;
  let failed = 0;
  // Park and Miller's minimal standard generator: the same order of failures for the same seed.
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return () => (random() < share ? failures[failed++ % failures.length] : undefined);
}
