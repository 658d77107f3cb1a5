import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
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
  /** `address:port` pairs that may be reached though they are not public, as 10.0.0.7:443 or [fd00::7]:443: an intranet's own pages. */
  allowedAddresses?: readonly string[];
}

export interface AddressGuard {
  /** @throws PageError `blocked_address` */
  refuseUnlessAllowed: (address: string, port: string) => void;
  /** The addresses of a name, when all of them may be reached. @throws PageError */
  checkedAddresses: (host: string, port: string) => Promise<Address[]>;
}

/** Tells addresses of the public internet, and those that an operator allows, from all others. */
export function createAddressGuard({ resolve = resolveAll, allowedAddresses = [] }: GuardOptions): AddressGuard {
  const refuseUnlessAllowed = (address: string, port: string): void => {
    const pair = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    if (isPublicAddress(address) || allowedAddresses.includes(pair)) return;
    throw new PageError('blocked_address', 'The address is not one of the public internet.');
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
