import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { PageError } from '../port.ts';
import { isPublicAddress } from './public-address.ts';

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

export interface GuardOptions {
  resolve?: Resolve;
  /** `address:port` pairs that may be reached though they are not public, as 10.0.0.7:443 or [fd00::7]:443: an intranet's own pages. */
  allowedAddresses?: readonly string[];
}

const connectTimeoutMs = 5_000;

/**
 * An HTTP agent that connects to public addresses only. A name is resolved once for a connection, all its addresses are checked, and the connection
 * goes to one of these: a resolver that changes its answer afterwards changes nothing. The address that the socket then names is checked again.
 */
export function createGuardedAgent({ resolve = resolveAll, allowedAddresses = [] }: GuardOptions): Agent {
  const refuseUnlessAllowed = (address: string, port: string): void => {
    const pair = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    if (isPublicAddress(address) || allowedAddresses.includes(pair)) return;
    throw new PageError('blocked_address', 'The address is not one of the public internet.');
  };
  const lookupFor = (port: string): LookupFunction => {
    const checked = async (host: string) => {
      const addresses = await resolve(host);
      if (addresses.length === 0) throw new PageError('unavailable', 'The name has no address.', { retryable: true });
      for (const { address } of addresses) refuseUnlessAllowed(address, port);
      return addresses;
    };
    return (host, options, callback) => {
      checked(host).then(
        (addresses) => {
          if (options.all) callback(null, addresses);
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      );
    };
  };
  return new Agent({
    connections: 4,
    connect(options, callback) {
      const { hostname, protocol } = options;
      const port = options.port || (protocol === 'https:' ? '443' : '80');
      try {
        if (isIP(hostname) !== 0) refuseUnlessAllowed(hostname, port);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
        return;
      }
      const connect = buildConnector({ timeout: connectTimeoutMs, lookup: lookupFor(port) });
      connect(options, (...[error, socket]) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        try {
          refuseUnlessAllowed((socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''), port);
          callback(null, socket);
        } catch (refusal) {
          socket.destroy();
          callback(refusal instanceof Error ? refusal : new Error(String(refusal)), null);
        }
      });
    },
  });
}

async function resolveAll(host: string): Promise<{ address: string; family: number }[]> {
  return lookup(host, { all: true });
}
