import { once } from 'node:events';
import { request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { AddressGuard } from '../harvest/address-guard.ts';
import { PageError } from '../port.ts';

export interface DialOptions {
  guard: AddressGuard;
  ports: readonly number[];
  /** An HTTP proxy to go through, with user and password where it wants them; null: directly. */
  proxy: URL | null;
}

const connectTimeoutMs = 5_000;

/**
 * A connection to a host whose addresses were all checked, to one of these. A proxy outside gets the checked address, not the name, so that it cannot
 * resolve it to another.
 * @throws PageError
 */
export async function dial(host: string, port: number, { guard, ports, proxy }: DialOptions): Promise<Socket> {
  if (!ports.includes(port)) throw new PageError('blocked_url', 'The port may not be reached.');
  const name = host.replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0) guard.refuseUnlessAllowed(name, String(port));
  const [first] = isIP(name) === 0 ? await guard.checkedAddresses(name, String(port)) : [{ address: name }];
  if (first === undefined) throw new PageError('unavailable', 'The name has no address.', { retryable: true });
  const socket = await (proxy === null ? direct(first.address, port) : through(proxy, first.address, port));
  if (proxy === null) guard.refuseUnlessAllowed(plainAddress(socket.remoteAddress ?? ''), String(port));
  return socket;
}

async function direct(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, timeout: connectTimeoutMs });
  socket.once('timeout', () => socket.destroy(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })));
  await once(socket, 'connect');
  socket.setTimeout(0);
  return socket;
}

async function through(proxy: URL, address: string, port: number): Promise<Socket> {
  const target = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  const { username, password, hostname } = proxy;
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const asked = request({
    host: hostname,
    port: proxy.port || 80,
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${secret}` }) },
    timeout: connectTimeoutMs,
  });
  asked.once('timeout', () => asked.destroy(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })));
  asked.end();
  const [response, socket] = (await once(asked, 'connect')) as [{ statusCode?: number }, Socket];
  if (response.statusCode === 200) return socket;
  socket.destroy();
  throw new PageError('unavailable', `The outbound proxy answered ${response.statusCode}.`, { retryable: true });
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
