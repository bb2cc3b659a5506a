import { describe, expect, it } from 'vitest';
import { createApi } from '#api/api.ts';
import { ApiFailure } from '#api/failure.ts';
import type { Failure } from '#domain/outcome.ts';
import { ids, wirePackage } from '#tests/builders/package.ts';
import { createFakeLocks } from '#tests/fakes/fake-locks.ts';

function tokenFor(id: string, mark = ''): string {
  const userInfo = {
    id,
    email: 'a@kaya.test',
    roles: ['Employee'],
    firstName: 'A',
    lastName: mark,
  };
  return `head.${Buffer.from(JSON.stringify({ userInfo })).toString('base64url')}.sign`;
}

const old = tokenFor(ids.courier, 'old');
const fresh = tokenFor(ids.courier, 'fresh');

function json(body: unknown, status = 200, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const denied = (status = 401) => json({ code: 'unauthenticated', message: 'No.' }, status);

interface Sent {
  route: string;
  bearer: string | null;
  request: Request;
}

type Handler = (sent: Sent) => Response | Promise<Response>;

/** A client over `handler`, which stands for the whole network. */
function clientOver(handler: Handler, options: { token?: string | null; expected?: string } = {}) {
  let token = options.token === undefined ? old : options.token;
  const sent: Sent[] = [];
  const ended: string[] = [];
  const locks = createFakeLocks();
  const { expected } = options;
  const api = createApi({
    baseUrl: 'http://kaya.test',
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    locks,
    onSessionEnded: (message) => ended.push(message),
    timeoutMs: 50,
    ...(expected === undefined ? {} : { expectedUserId: () => expected }),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const one = {
        route: `${request.method} ${new URL(request.url).pathname}`,
        bearer: request.headers.get('authorization'),
        request,
      };
      sent.push(one);
      return await handler(one);
    },
  });
  const routes = () => sent.map((one) => one.route);
  return {
    api,
    sent,
    routes,
    ended,
    locks,
    token: () => token,
    put: (next: string | null) => (token = next),
  };
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiFailure);
  return (error as ApiFailure).failure;
}

/** Accepts only `good`, and refreshes to it. */
function needing(good: string, refresh: Handler): Handler {
  return (sent) => {
    if (sent.route === 'GET /api/auth/refresh') return refresh(sent);
    return sent.bearer === `Bearer ${good}` ? json([wirePackage()]) : denied();
  };
}

describe('a call', () => {
  it('carries credentials, the bearer, the key and the body', async () => {
    const client = clientOver(() => json(wirePackage()));
    await client.api.patchPackage(ids.package, { deliveryStatus: 'Delivered' }, 'the-key');
    const [sent] = client.sent;
    expect(sent?.route).toBe(`PATCH /api/packages/${ids.package}`);
    expect(sent?.bearer).toBe(`Bearer ${old}`);
    expect(sent?.request.credentials).toBe('include');
    expect(sent?.request.headers.get('idempotency-key')).toBe('the-key');
    expect(await sent?.request.json()).toEqual({ deliveryStatus: 'Delivered' });
  });

  it('has no bearer where there is no token', async () => {
    const client = clientOver(() => json([]), { token: null });
    await client.api.listPackages();
    expect(client.sent[0]?.bearer).toBeNull();
  });

  it('answers in the shapes of the domain', async () => {
    const client = clientOver(() => json([wirePackage({ deliveryStatus: 'IN_TRANSIT' })]));
    expect(await client.api.listPackages()).toMatchObject([
      { id: ids.package, status: 'in-transit', priceOfferKobo: 150_000 },
    ]);
  });

  it('is tried once: trying again is the engine’s', async () => {
    const client = clientOver(() => json({ code: 'unavailable', message: 'Later.' }, 503));
    expect(await failureOf(client.api.listPackages())).toMatchObject({ kind: 'http', status: 503 });
    expect(client.sent).toHaveLength(1);
  });
});

describe('what is no success', () => {
  it.each<[string, () => Response | Promise<Response>, Partial<Failure>]>([
    [
      'HTML on a 200 (a captive portal)',
      () =>
        new Response('<html>Log in to Wi-Fi</html>', { headers: { 'content-type': 'text/html' } }),
      { kind: 'malformed', status: 200 },
    ],
    [
      'half a JSON text',
      () => new Response('[{"_id": "4000', { headers: { 'content-type': 'application/json' } }),
      { kind: 'malformed', status: 200 },
    ],
    ['an empty body', () => new Response('', { status: 200 }), { kind: 'malformed' }],
    ['another shape', () => json([{ hello: 'world' }]), { kind: 'malformed' }],
    [
      'an amount that is none',
      () => json([wirePackage({ priceOffer: 1e300 })]),
      { kind: 'malformed' },
    ],
    [
      'HTML on a 404',
      () =>
        new Response('<h1>Gone</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
      { kind: 'malformed', status: 404 },
    ],
    [
      'JSON of somebody else on a 400',
      () => json({ error: 'nope' }, 400),
      { kind: 'malformed', status: 400 },
    ],
    [
      'a redirect that was not followed',
      () => new Response(null, { status: 304 }),
      { kind: 'malformed' },
    ],
    [
      'a redirect with a body',
      () => json([wirePackage()], 302),
      { kind: 'malformed', status: 302 },
    ],
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
      () =>
        new Response('Slow down', {
          status: 400,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
        }),
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
    expect(await failureOf(client.api.listPackages())).toMatchObject(expected);
  });

  it('reads Retry-After as a date', async () => {
    const at = new Date(Date.now() + 20_000).toUTCString();
    const client = clientOver(() => json({ code: 'x', message: 'x' }, 503, { 'retry-after': at }));
    const { retryAfterMs = 0 } = await failureOf(client.api.listPackages());
    expect(retryAfterMs).toBeGreaterThan(15_000);
    expect(retryAfterMs).toBeLessThanOrEqual(20_000);
  });

  it('a conflict brings the current row', async () => {
    const body = { code: 'conflict', message: 'Changed.', current: wirePackage({ version: 5 }) };
    const client = clientOver(() => json(body, 409));
    const error: unknown = await client.api.patchPackage(ids.package, {}, 'k').catch((e) => e);
    expect(error).toMatchObject({ current: { id: ids.package, version: 5 } });
  });
});

describe('a refresh', () => {
  it.each([
    401, 403,
  ])('follows a %i once; the token is kept and the call repeated', async (status) => {
    const client = clientOver((sent) => {
      if (sent.route === 'GET /api/auth/refresh') return json({ accessToken: fresh });
      return sent.bearer === `Bearer ${fresh}` ? json([]) : denied(status);
    });
    expect(await client.api.listPackages()).toEqual([]);
    expect(client.routes()).toEqual([
      'GET /api/packages',
      'GET /api/auth/refresh',
      'GET /api/packages',
    ]);
    expect(client.token()).toBe(fresh);
    expect(client.ended).toEqual([]);
  });

  it('is shared by all who need it at once, and runs under the lock', async () => {
    let held: string[] = [];
    const client = clientOver(
      needing(fresh, () => {
        held = client.locks.held();
        return json({ accessToken: fresh });
      }),
    );
    await Promise.all(Array.from({ length: 8 }, () => client.api.listPackages()));
    expect(client.routes().filter((route) => route.endsWith('refresh'))).toHaveLength(1);
    expect(held).toEqual(['kaya-refresh']);
  });

  it('is not made where somebody put a fresh token there meanwhile', async () => {
    const client = clientOver((sent) => {
      if (sent.bearer === `Bearer ${fresh}`) return json([]);
      client.put(fresh);
      return denied();
    });
    await client.api.listPackages();
    expect(client.routes()).toEqual(['GET /api/packages', 'GET /api/packages']);
  });

  it('is not made by who only got the lock after another had brought a fresh token', async () => {
    const client = clientOver(needing(fresh, () => denied()));
    let letGo = () => {};
    void client.locks.withLock(
      'kaya-refresh',
      () =>
        new Promise<void>((resolve) => {
          letGo = () => {
            client.put(fresh);
            resolve();
          };
        }),
    );
    const call = client.api.listPackages();
    setTimeout(() => letGo(), 5);
    expect(await call).toHaveLength(1);
    expect(client.routes()).toEqual(['GET /api/packages', 'GET /api/packages']);
  });

  it('is not made for one who has logged out meanwhile', async () => {
    const client = clientOver(() => {
      client.put(null);
      return denied();
    });
    expect(await failureOf(client.api.listPackages())).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/packages']);
    expect(client.ended).toEqual([]);
  });

  it('is no way to send one user’s request with the token of another who signed in', async () => {
    const client = clientOver(() => {
      client.put(tokenFor(ids.otherCourier));
      return denied();
    });
    expect(await failureOf(client.api.listPackages())).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/packages']);
  });

  it('that another tab overtook does not sign out: its token is good', async () => {
    const client = clientOver(
      needing(fresh, () => {
        client.put(fresh);
        return denied();
      }),
    );
    expect(await client.api.listPackages()).toHaveLength(1);
    expect(client.ended).toEqual([]);
  });

  it.each([401, 403])('that is refused with %i ends the session, said once', async (status) => {
    const client = clientOver(needing(fresh, () => denied(status)));
    const failures = await Promise.all(
      Array.from({ length: 4 }, () => failureOf(client.api.listPackages())),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject({
        kind: 'http',
        status: 401,
        code: 'session_expired',
        message: 'Your login has expired. Please log in again.',
      });
    }
    expect(client.ended).toEqual(['Your login has expired. Please log in again.']);
    expect(client.routes().filter((route) => route.endsWith('refresh'))).toHaveLength(1);
  });

  it.each<[string, Handler, Failure['kind']]>([
    ['finds no network', () => Promise.reject(new TypeError('fetch failed')), 'network'],
    ['gets no answer in time', () => new Promise<Response>(() => {}), 'timeout'],
    [
      'meets a captive portal',
      () => new Response('<html>', { status: 401, headers: { 'content-type': 'text/html' } }),
      'malformed',
    ],
    ['meets a server in trouble', () => json({ code: 'internal', message: 'Oh.' }, 500), 'http'],
  ])('that %s is only that: nobody is signed out', async (_, refresh, kind) => {
    const client = clientOver(needing(fresh, refresh));
    const failure = await failureOf(client.api.listPackages());
    expect(failure.kind).toBe(kind);
    expect(failure.status).not.toBe(403);
    expect(failure.code).not.toBe('session_expired');
    expect(client.ended).toEqual([]);
    expect(client.token()).toBe(old);
  });

  it('is not made a second time: a second 403 is a refusal of permission', async () => {
    const client = clientOver((sent) =>
      sent.route === 'GET /api/auth/refresh'
        ? json({ accessToken: fresh })
        : json({ code: 'forbidden', message: 'Not yours.' }, 403),
    );
    expect(await failureOf(client.api.listPackages())).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    expect(client.sent).toHaveLength(3);
    expect(client.ended).toEqual([]);
  });

  it('that answers for somebody else never sends this user’s work as theirs', async () => {
    const other = tokenFor(ids.otherCourier);
    const client = clientOver(needing(other, () => json({ accessToken: other })));
    expect(await failureOf(client.api.listPackages())).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/packages', 'GET /api/auth/refresh']);
    expect(client.token()).toBe(old);
    expect(client.ended).toHaveLength(1);
  });

  it('knows whose device it is even before the first token', async () => {
    const other = tokenFor(ids.otherCourier);
    const client = clientOver(
      needing(other, () => json({ accessToken: other })),
      {
        token: null,
        expected: ids.courier,
      },
    );
    expect(await failureOf(client.api.listPackages())).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/packages', 'GET /api/auth/refresh']);
  });

  it('asked for on load answers the token, or the server’s own refusal', async () => {
    const good = clientOver(() => json({ accessToken: fresh }), { token: null });
    expect(await good.api.refresh()).toBe(fresh);
    expect(good.token()).toBe(fresh);
    const over = clientOver(() => denied(), { token: null });
    expect(await failureOf(over.api.refresh())).toMatchObject({ status: 401, message: 'No.' });
    expect(over.ended).toEqual([]);
  });

  it.each(['login', 'logout', 'signUp'] as const)('never follows a refused %s', async (name) => {
    const client = clientOver(() => json({ code: 'wrong_password', message: 'Wrong.' }, 401));
    const body = { email: 'a@kaya.test', password: 'secret-one', role: 'Customer' as const };
    const calls = {
      login: () => client.api.login(body),
      logout: () => client.api.logout(),
      signUp: () => client.api.signUp(body),
    };
    expect(await failureOf(calls[name]())).toMatchObject({ status: 401, code: 'wrong_password' });
    expect(client.sent).toHaveLength(1);
  });
});

describe('the session’s calls', () => {
  it('login stores the token, logout forgets it', async () => {
    const client = clientOver(
      ({ route }) => (route.endsWith('login') ? json({ accessToken: fresh }) : json({})),
      { token: null },
    );
    await client.api.login({ email: 'a@kaya.test', password: 'x' });
    expect(client.token()).toBe(fresh);
    await client.api.logout();
    expect(client.token()).toBeNull();
  });

  it('a logout that fails keeps the token', async () => {
    const client = clientOver(() => Promise.reject(new TypeError('fetch failed')));
    expect(await failureOf(client.api.logout())).toMatchObject({ kind: 'network' });
    expect(client.token()).toBe(old);
  });
});
