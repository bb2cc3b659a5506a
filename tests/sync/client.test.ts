import { afterEach, describe, expect, it } from 'vitest';
import { clockOffsetMs, restoreClockOffset } from '#api/server-time.ts';
import { contractVersion } from '#contract/version.ts';
import type { Failure } from '#domain/outcome.ts';
import type { User } from '#domain/user.ts';
import { ids, wirePackage } from '#tests/builders/package.ts';
import {
  accept,
  aServer,
  closeDevices,
  editProfile,
  enqueue,
  packageId,
  pulled,
  request,
  states,
} from './device.ts';
import { clientOver, failureOf, fresh, json, old } from './network.ts';

closeDevices();

const page = (text: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(text, { status, headers: { 'content-type': 'text/html', ...headers } });

describe('a request', () => {
  it('has credentials, bearer token, key and body', async () => {
    const client = clientOver(() => json(wirePackage()));
    await client.api.patchPackage(ids.package, { deliveryStatus: 'Delivered' }, 'the-key');
    const [sent] = client.sent;
    expect(sent?.route).toBe(`PATCH /api/packages/${ids.package}`);
    expect(sent?.bearer).toBe(`Bearer ${old}`);
    expect(sent?.request.credentials).toBe('include');
    expect(sent?.request.headers.get('idempotency-key')).toBe('the-key');
    expect(await sent?.request.json()).toEqual({ deliveryStatus: 'Delivered' });
  });

  it("names the app's contract version and detects that it is outdated", async () => {
    const client = clientOver(() => json({ code: 'app_outdated', message: 'Too old.' }, 410));
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({ code: 'app_outdated' });
    expect(client.sent[0]?.request.headers.get('kaya-contract')).toBe(String(contractVersion));
    expect([client.outdated, client.ended]).toEqual([['outdated'], []]);
  });

  it('fetches a token first if there is none, as after a reload', async () => {
    const client = clientOver(
      ({ route }) => json(route.endsWith('refresh') ? { accessToken: fresh } : []),
      { token: null },
    );
    await client.api.pullPackages('');
    expect(client.sent.map(({ route, bearer }) => [route, bearer])).toEqual([
      ['GET /api/auth/refresh', null],
      ['GET /api/packages', `Bearer ${fresh}`],
    ]);
  });

  it('returns domain types', async () => {
    const client = clientOver(() => json([wirePackage({ deliveryStatus: 'IN_TRANSIT' })]));
    expect(await client.api.pullPackages('')).toMatchObject({
      rows: [{ id: ids.package, status: 'in-transit', priceOfferKobo: 150_000 }],
    });
  });

  it.each([
    [201, []],
    [202, [{ _id: 'u1', email: 'amina@kaya.test' }]],
    [203, []],
    [204, null],
    [206, []],
    [302, []],
    [304, null],
  ])('for the users is no list under another status than 200: %d', async (status, body) => {
    const answer = () => (body === null ? new Response(null, { status }) : json(body, status));
    expect(await failureOf(clientOver(answer).api.pullUsers(''))).toMatchObject({
      kind: 'malformed',
      status,
    });
  });

  it("is made once: retries are the engine's", async () => {
    const client = clientOver(() => json({ code: 'unavailable', message: 'Later.' }, 503));
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({
      kind: 'http',
      status: 503,
    });
    expect(client.sent).toHaveLength(1);
  });
});

describe('a proxy', () => {
  it.each([
    ['weakens', { etag: 'W/"7"' }],
    ['strips', {}],
    ['makes up', { etag: '"7"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' }],
  ])('30: that %s ETags changes nothing: versions are in the bodies', async (_, sent) => {
    const headers = { ...sent, 'sync-cursor': 'c1' } as Record<string, string>;
    const client = clientOver(() => json([wirePackage({ version: 7 })], 200, headers));
    for (let times = 0; times < 2; times += 1) {
      const { rows } = await client.api.pullPackages('');
      expect(rows.map(({ version }) => version)).toEqual([7]);
    }
    for (const { request } of client.sent) {
      expect(request.cache).toBe('no-store');
      for (const name of ['if-none-match', 'if-match', 'if-modified-since']) {
        expect([name, request.headers.get(name)]).toEqual([name, null]);
      }
    }
  });
});

describe('a response that is not a success', () => {
  it.each<[string, () => Response | Promise<Response>, Partial<Failure>]>([
    [
      'HTML on a 200 (a captive portal)',
      () => page('<html>Log in to Wi-Fi</html>'),
      { kind: 'malformed', status: 200 },
    ],
    [
      'half a JSON text',
      () => page('[{"_id": "4000', 200, { 'content-type': 'application/json' }),
      { kind: 'malformed', status: 200 },
    ],
    ['an empty body', () => new Response('', { status: 200 }), { kind: 'malformed' }],
    ['another shape', () => json([{ hello: 'world' }]), { kind: 'malformed' }],
    ['an invalid amount', () => json([wirePackage({ priceOffer: 1e300 })]), { kind: 'malformed' }],
    ['HTML on a 404', () => page('<h1>Gone</h1>', 404), { kind: 'malformed', status: 404 }],
    [
      'foreign JSON on a 400',
      () => json({ error: 'nope' }, 400),
      { kind: 'malformed', status: 400 },
    ],
    [
      'a redirect that was not followed',
      () => new Response(null, { status: 304 }),
      { kind: 'malformed' },
    ],
    ['a redirect with a body', () => json([wirePackage()], 302), { kind: 'malformed' }],
    ['a list under another status', () => json([], 206), { kind: 'malformed', status: 206 }],
    [
      'our own refusal',
      () => json({ code: 'invalid_fields', message: 'Look.', fields: { notes: 'Too long.' } }, 422),
      {
        kind: 'http',
        status: 422,
        code: 'invalid_fields',
        message: 'Look.',
        fields: { notes: 'Too long.' },
      },
    ],
    [
      'plain text, wrapped as the message',
      () => page('Slow down', 400, { 'content-type': 'text/plain; charset=utf-8' }),
      { kind: 'http', status: 400, code: '', message: 'Slow down' },
    ],
    [
      'Retry-After in seconds',
      () => json({ code: 'rate_limited', message: 'Wait.' }, 429, { 'retry-after': '7' }),
      { kind: 'http', status: 429, retryAfterMs: 7_000 },
    ],
    [
      'no network',
      () => Promise.reject(new TypeError('fetch failed')),
      { kind: 'network', status: 0 },
    ],
    ['silence', () => new Promise<Response>(() => {}), { kind: 'timeout', status: 0 }],
    [
      'a body that stalls after its headers',
      () =>
        new Response(new ReadableStream({ start() {} }), {
          headers: { 'content-type': 'application/json' },
        }),
      { kind: 'timeout', status: 0 },
    ],
    [
      'a body that breaks off',
      () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.error(new TypeError('terminated')),
          }),
        ),
      { kind: 'network', status: 0 },
    ],
  ])('%s', async (_, answer, expected) => {
    const client = clientOver(answer);
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject(expected);
  });

  it('that is a conflict includes the current row', async () => {
    const body = { code: 'conflict', message: 'Changed.', current: wirePackage({ version: 5 }) };
    const client = clientOver(() => json(body, 409));
    const error: unknown = await client.api.patchPackage(ids.package, {}, 'k').catch((e) => e);
    expect(error).toMatchObject({ current: { id: ids.package, version: 5 } });
  });

  it('that is replayed yields no row, for a success or a conflict', async () => {
    const replayed = { 'idempotency-replayed': 'true' };
    const done = clientOver(() => json(wirePackage(), 200, replayed));
    expect(await done.api.patchPackage(ids.package, {}, 'k')).toBeNull();
    expect(await failureOf(done.api.patchPackage(ids.sender, {}, 'k'))).toMatchObject({
      kind: 'malformed',
    });
    const body = { code: 'conflict', message: 'Changed.', current: wirePackage() };
    const refused = clientOver(() => json(body, 409, replayed));
    const error: unknown = await refused.api.patchPackage(ids.package, {}, 'k').catch((e) => e);
    expect(error).toMatchObject({ failure: { code: 'conflict' }, current: undefined });
  });
});

describe('session calls', () => {
  it('store the token on sign-in and remove it on log-out', async () => {
    const client = clientOver(
      ({ route }) => (route.endsWith('login') ? json({ accessToken: fresh }) : json({})),
      { token: null },
    );
    await client.api.login({ email: 'a@kaya.test', password: 'x' });
    expect(client.token()).toBe(fresh);
    await client.api.logout();
    expect(client.token()).toBeNull();
  });

  it('keep the token if the log-out fails', async () => {
    const client = clientOver(() => Promise.reject(new TypeError('fetch failed')));
    expect(await failureOf(client.api.logout())).toMatchObject({ kind: 'network' });
    expect(client.token()).toBe(old);
  });
});

describe('an answer about another package', () => {
  it('does not count as done: the operation stays and is sent again', async () => {
    const server = aServer(2);
    const honest = server.api();
    let isMixedUp = true;
    const mixedUp = async <Row extends { id: string }>(answer: Promise<Row | null>) => {
      const row = await answer;
      return isMixedUp && row ? { ...row, id: packageId(2) } : row;
    };
    server.api = () => ({
      ...honest,
      patchPackage: (...call) => mixedUp(honest.patchPackage(...call)),
      patchUser: async (...call) => (await mixedUp(honest.patchUser(...call))) as User,
    });
    const { tab } = await pulled(server);
    await enqueue(tab, accept(1), editProfile({ firstName: 'Musa' }));
    expect((await states(tab)).sort()).toEqual([
      'acceptPackage waiting malformed',
      'editProfile waiting malformed',
    ]);
    expect(tab.events.filter(({ kind }) => kind === 'acknowledged')).toEqual([]);
    isMixedUp = false;
    await request(tab, 'online');
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(2);
  });

  it('does not count as a deletion either', async () => {
    const removed = (id: string) => json({ _id: id, removed: true });
    const mixedUp = clientOver(() => removed(packageId(2)));
    const failure = await failureOf(mixedUp.api.deletePackage(packageId(1), 'the-key'));
    expect(failure).toMatchObject({ kind: 'malformed' });
    const right = clientOver(() => removed(packageId(1)));
    await right.api.deletePackage(packageId(1), 'the-key');
    expect(right.sent).toHaveLength(1);
  });
});

describe('the time by the server', () => {
  afterEach(() => restoreClockOffset(0));

  const hourMs = 3_600_000;
  const date = () => new Date(Date.now() - 2 * hourMs).toUTCString();

  it.each<[string, number, () => Response]>([
    ['an answer', 2, () => json([], 200, { date: date(), 'sync-cursor': 'a' })],
    ['an answer without a date', 0, () => json([], 200, { 'sync-cursor': 'a' })],
    ['a portal’s page', 0, () => new Response('<html>', { headers: { date: date() } })],
    [
      'a gateway’s page',
      0,
      () => new Response('<html>', { status: 502, headers: { date: date() } }),
    ],
  ])('%s: the phone is %d hours fast', async (_, hours, answer) => {
    await clientOver(answer)
      .api.pullPackages('')
      .catch(() => undefined);
    expect(Math.round(clockOffsetMs() / hourMs)).toBe(hours);
  });

  it('what goes out says the time of the phone, by which the server corrects it', async () => {
    restoreClockOffset(2 * hourMs);
    const client = clientOver(() => json(wirePackage()));
    const beganMs = Date.now();
    await client.api.patchPackage(ids.package, { deliveryStatus: 'Delivered' }, 'the-key');
    const sentAt = client.sent[0]?.request.headers.get('sent-at') ?? '';
    expect(Date.parse(sentAt)).toBeGreaterThanOrEqual(beganMs);
  });
});

describe('a Retry-After', () => {
  const later = { code: 'unavailable', message: 'Later.' };

  it("date is measured by the server's clock, not the phone's", async () => {
    const tomorrowMs = Date.now() + 86_400_000;
    const headers = {
      date: new Date(tomorrowMs).toUTCString(),
      'retry-after': new Date(tomorrowMs + 2_000).toUTCString(),
    };
    const client = clientOver(() => json(later, 503, headers));
    expect((await failureOf(client.api.pullPackages(''))).retryAfterMs).toBe(2_000);
  });

  it.each<[string, () => Response]>([
    ['a portal’s page', () => new Response('<html>', { headers: { 'retry-after': '3600' } })],
    [
      'a gateway’s page',
      () => new Response('<html>', { status: 503, headers: { 'retry-after': '3600' } }),
    ],
    ['an answer of another shape', () => json([1], 200, { 'retry-after': '3600' })],
  ])('is ignored from %s', async (_, answer) => {
    const failure = await failureOf(clientOver(answer).api.pullPackages(''));
    expect(failure.kind).toBe('malformed');
    expect(failure.retryAfterMs).toBeUndefined();
  });
});
