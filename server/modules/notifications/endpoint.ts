/**
 * Which addresses are sent to. Whoever signs up may name one, and the server calls it: it must not
 * become a way into the network that the server stands in.
 *
 * Invariant: a connection is made to nothing but a public address, looked at after its name was
 * looked up, so that a name that answers differently the second time gains nothing.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const closed = new BlockList();
// Not for the public: IANA's special-purpose registries, and multicast.
const closedRanges: ['ipv4' | 'ipv6', string, number][] = [
  ['ipv4', '0.0.0.0', 8],
  ['ipv4', '10.0.0.0', 8],
  ['ipv4', '100.64.0.0', 10],
  ['ipv4', '127.0.0.0', 8],
  ['ipv4', '169.254.0.0', 16],
  ['ipv4', '172.16.0.0', 12],
  ['ipv4', '192.0.0.0', 24],
  ['ipv4', '192.0.2.0', 24],
  ['ipv4', '192.168.0.0', 16],
  ['ipv4', '198.18.0.0', 15],
  ['ipv4', '198.51.100.0', 24],
  ['ipv4', '203.0.113.0', 24],
  ['ipv4', '224.0.0.0', 3],
  ['ipv6', '::', 96],
  ['ipv6', '::ffff:0:0:0', 96],
  ['ipv6', '64:ff9b::', 96],
  ['ipv6', '64:ff9b:1::', 48],
  ['ipv6', '100::', 64],
  ['ipv6', '2001::', 23],
  ['ipv6', '2001:db8::', 32],
  ['ipv6', '2002::', 16],
  ['ipv6', 'fc00::', 7],
  ['ipv6', 'fe80::', 10],
  ['ipv6', 'fec0::', 10],
  ['ipv6', 'ff00::', 8],
];
for (const [family, address, prefix] of closedRanges) closed.addSubnet(address, prefix, family);

/** '::ffff:10.0.0.1' in any spelling is judged as what it maps to: Node's list does so by itself. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !closed.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** 'localhost' and its like never leave this machine, whatever a resolver says. */
const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)\.?$/i;
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/** `isLocalAllowed`: tests have their push service on this machine, without TLS. */
export function isAllowedEndpoint(endpoint: string, isLocalAllowed: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port } = new URL(endpoint);
  if (isLocalAllowed && loopback.has(hostname)) return true;
  if (protocol !== 'https:' || (port !== '' && port !== '443')) return false;
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return isPublicAddress(bare);
  return bare.includes('.') && !localNames.test(bare);
}

class PrivateAddress extends Error {
  override name = 'PrivateAddress';
}

/** Looks up as Node does; fails where any address of the name is not for the public. */
export const publicLookup: LookupFunction = (hostname, options, callBack) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const first = found?.[0];
    if (error || !first) return callBack(error ?? new Error('No address.'), '', 0);
    if (!found.every(({ address }) => isPublicAddress(address))) {
      return callBack(new PrivateAddress('The name leads to a private address.'), '', 0);
    }
    return options.all ? callBack(null, found) : callBack(null, first.address, first.family);
  });
};
