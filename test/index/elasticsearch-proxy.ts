import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

interface Failure {
  status: number;
  type: string;
}

export interface ProxyRules {
  /** Fails one item of a bulk request; the server behind never sees it. `sent` counts how often that item has come. */
  failItem?: (item: { index: string; action: string; id: string; sent: number }) => Failure | null;
  /** Answers a whole request in place of the server behind. */
  failRequest?: (request: { method: string; path: string }) => Failure | null;
  delayMs?: number;
}

export interface Proxy {
  url: string;
  rules: ProxyRules;
  /** How often each item of a bulk request was sent, by id. */
  sent: Map<string, number>;
  headers: IncomingHttpHeaders[];
  stop: () => Promise<void>;
}

interface BulkItem {
  action: string;
  index: string;
  id: string;
  lines: string[];
}

/** Stands in front of a real Elasticsearch, speaks its protocol and fails what the rules say. */
export async function startProxy(target: string): Promise<Proxy> {
  const proxy: Proxy = { url: '', rules: {}, sent: new Map(), headers: [], stop: async () => undefined };
  const server = createServer((request, response) => {
    const reply = (status: number, body: string) => {
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
        .end(body);
    };
    const answer = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { method = 'GET', url = '/' } = request;
      const path = url.split('?', 1)[0] ?? '/';
      proxy.headers.push(request.headers);
      if (proxy.rules.delayMs !== undefined) await setTimeout(proxy.rules.delayMs);
      const failure = proxy.rules.failRequest?.({ method, path });
      if (failure)
        return reply(failure.status, JSON.stringify({ error: { type: failure.type }, status: failure.status }));
      const send = (text: string) => forward(target + url, { method, headers: request.headers, body: text });
      const { status, text } = path.endsWith('/_bulk') ? await bulk(proxy, { path, body, send }) : await send(body);
      return reply(status, text);
    };
    answer().catch((error: unknown) => reply(502, JSON.stringify({ error: { type: String(error) } })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return proxy;
}

async function bulk(
  { rules, sent }: Proxy,
  {
    path,
    body,
    send,
  }: { path: string; body: string; send: (text: string) => Promise<{ status: number; text: string }> },
): Promise<{ status: number; text: string }> {
  const items = itemsOf(path, body);
  const failures = items.map(({ action, index, id }) => {
    sent.set(id, (sent.get(id) ?? 0) + 1);
    return rules.failItem?.({ action, index, id, sent: sent.get(id) ?? 0 }) ?? null;
  });
  const passed = items.filter((_, n) => !failures[n]);
  const answer =
    passed.length > 0
      ? await send(`${passed.flatMap(({ lines }) => lines).join('\n')}\n`)
      : { status: 200, text: '{"errors":false,"items":[]}' };
  if (answer.status !== 200 || passed.length === items.length) return answer;
  const { items: done = [] } = JSON.parse(answer.text) as { items?: unknown[] };
  const merged = items.map(({ action, id }, n) => {
    const failure = failures[n];
    if (!failure) return done.shift();
    const reason = 'failed to parse: Preview of the value: CONFIDENTIAL';
    return { [action]: { _id: id, status: failure.status, error: { type: failure.type, reason } } };
  });
  return { status: 200, text: JSON.stringify({ errors: true, items: merged }) };
}

function itemsOf(path: string, body: string): BulkItem[] {
  const lines = body.split('\n').filter((line) => line !== '');
  const items: BulkItem[] = [];
  for (let at = 0; at < lines.length;) {
    const [action, header] = Object.entries(JSON.parse(lines[at] ?? '{}') as Record<string, { _id: string }>)[0] ?? [];
    if (action === undefined || header === undefined) throw new Error(`no bulk action: ${lines[at]}`);
    const length = action === 'delete' ? 1 : 2;
    items.push({ action, index: path.split('/')[1] ?? '', id: header._id, lines: lines.slice(at, at + length) });
    at += length;
  }
  return items;
}

async function forward(
  url: string,
  { method, headers, body }: { method: string; headers: IncomingHttpHeaders; body: string },
): Promise<{ status: number; text: string }> {
  const { accept = '', 'content-type': contentType } = headers;
  const answer = await fetch(url, {
    method,
    headers: { accept, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    ...(body === '' ? {} : { body }),
  });
  return { status: answer.status, text: await answer.text() };
}
