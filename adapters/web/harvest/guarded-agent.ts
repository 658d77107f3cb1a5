import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createAddressGuard, type GuardOptions } from './address-guard.ts';

const connectTimeoutMs = 5_000;

/**
 * An HTTP agent that connects to public addresses only. A name is resolved once for a connection, all its addresses are checked, and the connection
 * goes to one of these: a resolver that changes its answer afterwards changes nothing. The address that the socket then names is checked again.
 */
export function createGuardedAgent(options: GuardOptions): Agent {
  const { refuseUnlessAllowed, checkedAddresses } = createAddressGuard(options);
  const lookupFor = (port: string): LookupFunction => {
    return (host, options, callback) => {
      checkedAddresses(host, port).then(
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
    connect(target, callback) {
      const { hostname, protocol } = target;
      const port = target.port || (protocol === 'https:' ? '443' : '80');
      try {
        if (isIP(hostname) !== 0) refuseUnlessAllowed(hostname, port);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
        return;
      }
      const connect = buildConnector({ timeout: connectTimeoutMs, lookup: lookupFor(port) });
      connect(target, (...[error, socket]) => {
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
