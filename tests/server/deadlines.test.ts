/** Outgoing calls end at their deadline regardless of garbage collection. */
import { getEventListeners } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { withDeadline } from '#server/config/timeouts.ts';
import { createSendPush } from '#server/modules/notifications/push-service.ts';
import { createPaystack } from '#server/modules/payments/providers/paystack.ts';
import { subscriptionBody } from '#tests/fakes/push-service.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const timeoutMs = 400;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a server that does this with every call and never answers; returns its address. */
async function neverEnding(how: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => how(response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Fifty time-outs: a busy machine that collects garbage all the time is slow, not hung. */
const hangMs = 50 * timeoutMs;

/** How the call ends under garbage collection; 'hangs' if it does not. */
async function endOf(call: Promise<unknown>): Promise<unknown> {
  const end = call.then(
    (value) => value,
    (error: unknown) => error,
  );
  const collecting = setInterval(collect, 40);
  try {
    return await Promise.race([end, after(hangMs, 'hangs', { ref: false })]);
  } finally {
    clearInterval(collecting);
  }
}

describe('an unanswered call ends at its time-out', { timeout: 4 * hangMs }, () => {
  const paystackAt = (url: string) =>
    createPaystack({ baseUrl: () => url, secretKey: 'sk_test_0', timeoutMs, backOffMs: 1 });

  it('to a push service', async () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const vapid = { subject: 'mailto:push@kaya.test', publicKey, privateKey };
    const send = createSendPush({ vapid, isLocalAllowed: true, timeoutMs });
    const url = await neverEnding(() => undefined);
    const { endpoint, keys } = subscriptionBody(`${url}/push`, []);
    const message = { kind: 'accepted', id: 'a', to: 'b', packageId: '1', naira: 1 } as const;
    const { signal } = new AbortController();
    expect(await endOf(send({ endpoint, ...keys, vapidKey: null }, message, signal))).toEqual({
      kind: 'later',
    });
  });

  const initialize = (url: string) =>
    paystackAt(url).initialize({
      email: 'a@b.co',
      amountKobo: 1,
      reference: 'r',
      callbackUrl: 'http://kaya.test',
    });

  it('to the payment provider', async () => {
    const url = await neverEnding(() => undefined);
    expect(await endOf(initialize(url))).toMatchObject({ fault: 'silent' });
    // A second signal, which is never aborted; three attempts.
    const { signal } = new AbortController();
    const began = performance.now();
    expect(await endOf(paystackAt(url).verify('r', signal))).toMatchObject({ fault: 'silent' });
    expect(performance.now() - began).toBeGreaterThan(3 * timeoutMs * 0.9);
  });

  it('to the payment provider, with half of the body sent', async () => {
    const url = await neverEnding((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"status":');
    });
    expect(await endOf(initialize(url))).toMatchObject({ fault: 'silent' });
  });
});

describe('a deadline', () => {
  const never = () => new Promise<never>(() => undefined);

  it('aborts with its parent signal, before and during the work', async () => {
    const stopping = new AbortController();
    const stopped = withDeadline(60_000, stopping.signal, never);
    stopping.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    await expect(withDeadline(60_000, stopping.signal, never)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('leaves no listener on its parent signal', async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    expect(await withDeadline(60_000, signal, async () => 'done')).toBe('done');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
