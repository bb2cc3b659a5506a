/** Groups addresses of one caller: an IPv6 subscriber chooses all but the first bits. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

function blockOf(ip: string, bits: { ipv4: number; ipv6: number }): string {
  const [address = ''] = ip.split('%', 1);
  if (isIP(address) === 0) return ip;
  // An IPv4-mapped IPv6 address counts as IPv4.
  const parsed = ipaddr.process(address);
  const length = bits[parsed.kind()];
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${length}`)}/${length}`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${length}`)}/${length}`;
}

/** The addresses a caller may move among: 256 of IPv4, a whole site (/48) of IPv6. */
export const neighbourhoodOf = (ip: string): string => blockOf(ip, { ipv4: 24, ipv6: 48 });

/** One subscriber: an IPv4 address, or the first 64 bits of an IPv6 one. */
export const networkOf = (ip: string): string => blockOf(ip, { ipv4: 32, ipv6: 64 });
