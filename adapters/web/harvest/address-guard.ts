import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { webPorts } from '../../../domain/web/url-rules.ts';
import { PageError } from '../port.ts';
import { isPublicAddress } from './public-address.ts';

export interface Address {
  address: string;
  family: number;
}

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<Address[]>;

export interface GuardOptions {
  resolve?: Resolve;
  /**
   * `address:port` pairs that may be reached though the address is not public or the port none of the web, as 10.0.0.7:443 or [fd00::7]:8443: an
   * intranet's own pages.
   */
  allowedAddresses?: readonly string[];
}

export interface AddressGuard {
  /** @throws PageError `blocked_address` */
  refuseUnlessAllowed: (address: string, port: string) => void;
  /** The addresses of a name, when all of them may be reached. @throws PageError */
  checkedAddresses: (host: string, port: string) => Promise<Address[]>;
}

/** Tells addresses of the public internet, by the ports of the web, and pairs that an operator allows from all others. */
export function createAddressGuard({ resolve = resolveAll, allowedAddresses = [] }: GuardOptions): AddressGuard {
  const refuseUnlessAllowed = (address: string, port: string): void => {
    const pair = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    if (allowedAddresses.includes(pair)) return;
    if (!isPublicAddress(address))
      throw new PageError('blocked_address', 'The address is not one of the public internet.');
    if (!webPorts.includes(Number(port)))
      throw new PageError('blocked_address', 'Public addresses are reached by the ports of the web only.');
  };
  return {
    refuseUnlessAllowed,
    async checkedAddresses(host, port) {
      const addresses = await resolve(host);
      if (addresses.length === 0) throw new PageError('unavailable', 'The name has no address.', { retryable: true });
      for (const { address } of addresses) refuseUnlessAllowed(address, port);
      return addresses;
    },
  };
}

async function resolveAll(host: string): Promise<Address[]> {
  return lookup(host, { all: true });
}
