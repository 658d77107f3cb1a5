import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Within what is handed out to hosts, yet of no use to anybody outside: Azure's services for its machines, addresses for documentation (RFC 9637). */
const alsoPrivate = ['168.63.129.16/32', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));
/** All of IPv6 that is given out as public; what is not of it is for special ends, or for nobody yet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Interface identifiers of ISATAP (RFC 5214): the last four bytes are an IPv4 address, reached through a tunnel. */
const isatap = /:(?:200:|0:)?5efe:[\da-f]{1,4}:[\da-f]{1,4}$/;

/**
 * Whether an IP address is one of the public internet: not loopback, private, link-local (so no metadata service), shared (CGNAT), multicast,
 * reserved, for documentation, nor an IPv6 form that hides an IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP). What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  // Stricter than the library, which reads 1.2.3 as an address too.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || alsoPrivate.some((range) => isWithin(parsed, range))) return false;
  return parsed.kind() === 'ipv4' || (isWithin(parsed, globalUnicast) && !isatap.test(parsed.toString()));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
