/** Push services are judged by the addresses their names resolve to. */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import webPush from 'web-push';
import { publicLookup } from '#server/modules/notifications/endpoint.ts';
import { createSendPush } from '#server/modules/notifications/push-service.ts';
import { subscriptionBody } from '#tests/fakes/push-service.ts';

vi.mock('node:dns', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:dns')>();
  return { ...original, lookup: vi.fn() };
});

type Ended = (error: Error | null, found?: LookupAddress[]) => void;
/** The lookup the server uses: all addresses of a name. */
const resolver = vi.mocked(lookup as (name: string, how: object, ended: Ended) => void);

const found = (addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIP(address) }));

function leadsTo(addresses: string[]): void {
  resolver.mockImplementation((_, __, ended) => ended(null, found(addresses)));
}

const asked = (all: boolean) =>
  new Promise((resolve) => {
    publicLookup('push.kaya.invalid', { all }, (error, ...answer) => {
      resolve(error ? error.name : answer);
    });
  });

beforeEach(() => {
  resolver.mockReset();
});

describe('the name of a push service', () => {
  it.each([
    ['a private address', ['10.0.0.1']],
    ['a private address behind a public one', ['8.8.8.8', '10.0.0.1']],
    ['a private address before a public one', ['169.254.169.254', '8.8.8.8']],
    ['this machine behind a public one of the other kind', ['2a00:1450::1', '127.0.0.1']],
    ['this machine in the other kind', ['8.8.8.8', '::1']],
  ])('is refused if it resolves to %s', async (_, addresses) => {
    leadsTo(addresses);
    expect(await asked(true)).toBe('PrivateAddress');
    expect(await asked(false)).toBe('PrivateAddress');
    expect(resolver).toHaveBeenCalledWith(
      'push.kaya.invalid',
      expect.objectContaining({ all: true }),
      expect.anything(),
    );
  });

  it('resolves to public addresses: all or the first, as requested', async () => {
    leadsTo(['8.8.8.8', '2a00:1450::1']);
    expect(await asked(true)).toEqual([found(['8.8.8.8', '2a00:1450::1'])]);
    expect(await asked(false)).toEqual(['8.8.8.8', 4]);
  });

  it('fails if it is unknown or has no address', async () => {
    resolver.mockImplementation((_, __, ended) => ended(new TypeError('unknown')));
    expect(await asked(true)).toBe('TypeError');
    leadsTo([]);
    expect(await asked(true)).toBe('Error');
  });

  it('is resolved this way for a notification, which is not sent to private addresses', async () => {
    leadsTo(['127.0.0.1']);
    const vapid = { subject: 'mailto:push@kaya.test', ...webPush.generateVAPIDKeys() };
    const send = createSendPush({ vapid, isLocalAllowed: false, timeoutMs: 10_000 });
    const { endpoint, keys } = subscriptionBody('https://push.kaya.invalid/1', ['accepted']);
    const message = { kind: 'accepted' as const, id: 'a', packageId: 'b', naira: 1, to: 'c' };
    const to = { endpoint, ...keys, vapidKey: null };
    expect(await send(to, message, new AbortController().signal)).toEqual({ kind: 'gone' });
    expect(resolver).toHaveBeenCalledOnce();
  });
});
