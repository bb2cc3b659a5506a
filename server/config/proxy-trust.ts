/** TRUST_PROXY: whose X-Forwarded headers are believed. */
import ipaddr from 'ipaddr.js';

interface Range {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  /** The network's share of all addresses of its kind, 0 to 1. */
  share: number;
}

const mappedBlock = ipaddr.IPv6.parse('::ffff:0:0');

/** An address or range; one of IPv6 that means IPv4 is that. Null: neither. */
function readRange(part: string): Range | null {
  const [first = '', prefix, ...rest] = part.trim().split('/');
  // '10.1' is an address to some, and another one to others.
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(first) || ipaddr.IPv6.isValid(first);
  if (!isWhole || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0')) return null;
  const address = ipaddr.parse(first);
  const most = address instanceof ipaddr.IPv4 ? 32 : 128;
  const bits = prefix === undefined ? most : Number(prefix);
  if (bits > most) return null;
  if (address instanceof ipaddr.IPv6 && address.match(mappedBlock, Math.min(bits, 96))) {
    const inner = ipaddr.IPv4.parse('0.0.0.0');
    return bits < 96
      ? { address: inner, share: 1 }
      : { address: address.toIPv4Address(), share: 2 ** (96 - bits) };
  }
  return { address, share: 2 ** -bits };
}

const rangesOf = (setting: string) => setting.split(',').map(readRange);

export const isProxyTrust = (setting: string): boolean =>
  setting === 'on' || setting === 'off' || rangesOf(setting).every((range) => range !== null);

/** The internet cannot reach the server from these networks, so they may be trusted whole. */
const closed: readonly string[] = ['private', 'loopback', 'linkLocal', 'uniqueLocal'];
/** The largest of them, 10.0.0.0/8 and fc00::/7, and the most that a large CDN names. */
const most = {
  ipv4: { closed: 2 ** -8, open: 2 ** -7 },
  ipv6: { closed: 2 ** -7, open: 2 ** -12 },
};

/** May a good part of the internet say where its calls come from? In one range, or in many. */
export function isTooTrusting(setting: string): boolean {
  if (setting === 'on' || setting === 'off') return false;
  const open = { ipv4: 0, ipv6: 0 };
  for (const range of rangesOf(setting)) {
    if (range === null) continue;
    const kind = range.address.kind();
    const isClosed = closed.includes(range.address.range()) && range.share <= most[kind].closed;
    if (!isClosed) open[kind] += range.share;
  }
  return open.ipv4 > most.ipv4.open || open.ipv6 > most.ipv6.open;
}
