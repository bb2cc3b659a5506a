/**
 * Any user may register a push endpoint, so it must not give access to the server's network.
 * Invariant: connections go to public addresses only, checked after name resolution, so DNS
 * rebinding gains nothing.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Only IPv6 that IANA assigned as global unicast (2000::/3): older forms may lead to an IPv4. */
const isGlobal = (address: ipaddr.IPv6) => ((address.parts[0] ?? 0) & 0xe000) === 0x2000;

/** '::ffff:10.0.0.1', in any notation, counts as the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || isGlobal(parsed);
}

/** Names of this machine or network, whatever a resolver says. */
const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)\.?$/i;
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/** `isLocalAllowed`: tests run their push service on localhost, without TLS. */
export function isAllowedEndpoint(endpoint: string, isLocalAllowed: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port } = new URL(endpoint);
  if (isLocalAllowed && loopback.has(hostname)) return true;
  if (protocol !== 'https:' || (port !== '' && port !== '443')) return false;
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return isPublicAddress(bare);
  return bare.includes('.') && !localNames.test(bare);
}

const pushServices = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];

/** All others count as one service: anyone may register a server of their own, or a hundred. */
export function pushServiceOf(endpoint: string): string {
  const { hostname } = new URL(endpoint);
  return pushServices.find((one) => `.${hostname}`.endsWith(`.${one}`)) ?? 'others';
}

class PrivateAddress extends Error {
  override name = 'PrivateAddress';
}

/** Resolves like Node; fails if any address of the name is not public. */
export const publicLookup: LookupFunction = (hostname, options, callBack) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const first = found?.[0];
    if (error || !first) return callBack(error ?? new Error('No address.'), '', 0);
    if (!found.every(({ address }) => isPublicAddress(address))) {
      return callBack(new PrivateAddress('The name resolves to a private address.'), '', 0);
    }
    return options.all ? callBack(null, found) : callBack(null, first.address, first.family);
  });
};
