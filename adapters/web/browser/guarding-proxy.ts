import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PageError } from '../port.ts';
import { dial, type DialOptions } from './dial.ts';

export interface GuardingProxy {
  /** For the browser. */
  url: string;
  /** The first address that it refused; null when it refused none. */
  refusal: () => PageError | null;
  /** Aborted, with a PageError, once more came in than may. */
  exceeded: AbortSignal;
  close: () => Promise<void>;
}

/**
 * The browser's only way out: an HTTP proxy on this machine that reaches public addresses, and cuts everything once more than `maxBytes` came in.
 * One for each page, so that what a page has loaded can be counted.
 */
export async function openGuardingProxy(options: DialOptions & { maxBytes: number }): Promise<GuardingProxy> {
  let refusal: PageError | null = null;
  const exceeded = new AbortController();
  let received = 0;
  const open = new Set<Duplex>();
  const count = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= options.maxBytes) return;
      exceeded.abort(new PageError('too_large', `The page loads more than ${options.maxBytes} bytes.`));
      for (const one of open) one.destroy();
    });
  };
  const refused = (error: unknown): void => {
    if (error instanceof PageError && error.code === 'blocked_address') refusal ??= error;
  };

  async function tunnel(message: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const { hostname, port } = new URL(`http://${message.url ?? ''}`);
    const socket = await dial(hostname, Number(port || 80), options);
    count(socket);
    client.on('error', () => socket.destroy());
    client.on('close', () => socket.destroy());
    socket.on('error', () => client.destroy());
    socket.on('close', () => client.destroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    socket.write(head);
    socket.pipe(client);
    client.pipe(socket);
  }

  async function forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? '');
    if (url.protocol !== 'http:') throw new PageError('blocked_url', 'Only pages of the web are loaded.');
    const socket = await dial(url.hostname, Number(url.port || 80), options);
    count(socket);
    const { 'proxy-connection': _, connection: __, ...headers } = message.headers;
    const onward = request({
      createConnection: () => socket,
      method: message.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: 'close' },
    });
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    message.pipe(onward);
  }

  const server = createServer((message, response) => {
    forward(message, response).catch((error: unknown) => {
      refused(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
  });
  server.on('connect', (message: IncomingMessage, client: Duplex, head: Buffer) => {
    open.add(client);
    tunnel(message, client, head).catch((error: unknown) => {
      refused(error);
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusal: () => refusal,
    exceeded: exceeded.signal,
    close: async () => {
      for (const one of open) one.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
