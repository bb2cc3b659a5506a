/** The client address that limits apply to: behind a proxy, past one, and in an IPv6 network. */
import { describe, expect, it } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { neighbourhoodOf, networkOf } from '#server/http/network.ts';
import { fileStage } from './stage.ts';

const stage = fileStage();

describe('X-Forwarded-For', () => {
  const max = 5;

  /** A server on the same database; returns the answer to a call from that address. */
  async function serverThat(trust: Record<string, string>) {
    const { database, now } = stage();
    const limits = { RATE_LIMIT: 'on', CALLS_PER_MINUTE: `${max}`, LOG_LEVEL: 'silent' };
    const config = readConfig({ ...limits, ...trust });
    const app = await buildApp({ config, database, webFolder: '/nowhere', now });
    return async (remoteAddress: string, forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor, forwarded: `for=${forwardedFor}` };
      return (await app.inject({ url: '/api/nothing', remoteAddress, headers })).statusCode;
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

describe('the network of an address', () => {
  it.each([
    ['10.0.0.7', '10.0.0.7/32'],
    ['::ffff:10.0.0.7', '10.0.0.7/32'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
  ])('%s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});

describe('the neighbourhood of an address', () => {
  it.each([
    ['10.0.1.7', '10.0.1.0/24'],
    ['::ffff:10.0.1.7', '10.0.1.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ])('%s is %s', (ip, neighbourhood) => {
    expect(neighbourhoodOf(ip)).toBe(neighbourhood);
  });
});
