/** The client address that limits apply to: behind a proxy, past one, and in an IPv6 network. */
import { describe, expect, it } from 'vitest';
import { neighbourhoodOf, networkOf } from '#server/http/network.ts';
import { fileStage } from './stage.ts';

const stage = fileStage();

describe('X-Forwarded-For', () => {
  const max = 5;

  /** A server on the same database; returns the answer to a call from that address. */
  async function serverThat(trust: Record<string, string>) {
    const limits = { RATE_LIMIT: 'on', CALLS_PER_MINUTE: `${max}` };
    const server = await stage().another({ environment: { ...limits, ...trust } });
    return async (remoteAddress: string, forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor, forwarded: `for=${forwardedFor}` };
      const how = { remoteAddress, headers };
      return (await server.send(null, 'GET', '/api/nothing', how)).status;
    };
  }

  it.each([
    ['where no proxy is trusted', {}],
    ['past the trusted proxy', { TRUST_PROXY: '10.30.0.1' }],
  ])('cannot be used to pose as many addresses %s', async (_, trust) => {
    const callFrom = await serverThat(trust);
    for (let n = 0; n < max; n += 1) expect(await callFrom('10.20.0.1', `10.21.0.${n}`)).toBe(404);
    expect(await callFrom('10.20.0.1', '10.22.0.1')).toBe(429);
    expect(await callFrom('10.20.0.2', '10.20.0.1')).toBe(404);
  });

  it.each([
    '10.30.0.1',
    'on',
  ])("identifies clients behind a trusted proxy (%s); the client's own values do not count", async (trust) => {
    const callFrom = await serverThat({ TRUST_PROXY: trust });
    for (let n = 0; n < max; n += 1) {
      // The proxy appends the address it sees to the client's own values.
      expect(await callFrom('10.30.0.1', `10.31.0.${n}, 10.32.0.1`)).toBe(404);
    }
    expect(await callFrom('10.30.0.1', '10.31.1.1, 10.32.0.1')).toBe(429);
    expect(await callFrom('10.30.0.1', '10.32.0.1')).toBe(429);
    expect(await callFrom('10.30.0.1', '10.32.0.2')).toBe(404);
  });
});

describe('an address', () => {
  it.each([
    ['10.0.0.7', '10.0.0.7/32', '10.0.0.0/24'],
    ['::ffff:10.0.0.7', '10.0.0.7/32', '10.0.0.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::9', '2001:db8::/64', '2001:db8::/48'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
    ['::1', '::/64', '::/48'],
  ])('%s is in the network %s and the neighbourhood %s', (ip, network, neighbourhood) => {
    expect([networkOf(ip), neighbourhoodOf(ip)]).toEqual([network, neighbourhood]);
  });
});
