import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface WebServer {
  port: number;
  url: string;
  requests: SeenRequest[];
  /** Connections made, whether or not anything was asked on them. */
  connections: () => number;
  close: () => Promise<void>;
}

export type Handler = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** A server of this machine, on a free port unless one is named, that remembers what it was asked. */
export async function startWebServer(
  handler: Handler,
  { host = '127.0.0.1', port: wanted = 0 }: { host?: string; port?: number } = {},
): Promise<WebServer> {
  const requests: SeenRequest[] = [];
  let connections = 0;
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    await handler(request, response);
  };
  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.on('connection', () => (connections += 1));
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}
