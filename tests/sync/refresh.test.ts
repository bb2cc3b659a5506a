import { describe, expect, it } from 'vitest';
import type { Failure } from '#domain/outcome.ts';
import { ids } from '#tests/builders/package.ts';
import {
  clientOver,
  denied,
  failureOf,
  fresh,
  type Handler,
  json,
  needing,
  old,
  tokenFor,
} from './network.ts';

describe('a refresh', () => {
  it.each([
    401, 403,
  ])('follows a %i once; the token is kept and the request repeated', async (status) => {
    const client = clientOver((sent) => {
      if (sent.route === 'GET /api/auth/refresh') return json({ accessToken: fresh });
      return sent.bearer === `Bearer ${fresh}` ? json([]) : denied(status);
    });
    expect(await client.api.pullPackages('')).toMatchObject({ rows: [] });
    expect(client.routes()).toEqual([
      'GET /api/packages',
      'GET /api/auth/refresh',
      'GET /api/packages',
    ]);
    expect(client.token()).toBe(fresh);
    expect(client.ended).toEqual([]);
  });

  it('is shared by concurrent requests and runs under the lock', async () => {
    let held: string[] = [];
    const client = clientOver(
      needing(fresh, () => {
        held = client.locks.held();
        return json({ accessToken: fresh });
      }),
    );
    await Promise.all(Array.from({ length: 8 }, () => client.api.pullPackages('')));
    expect(client.routes().filter((route) => route.endsWith('refresh'))).toHaveLength(1);
    expect(held).toEqual(['kaya-refresh']);
  });

  it('is skipped if another tab has stored a fresh token', async () => {
    const client = clientOver((sent) => {
      if (sent.bearer === `Bearer ${fresh}`) return json([]);
      client.put(fresh);
      return denied();
    });
    await client.api.pullPackages('');
    expect(client.routes()).toEqual(['GET /api/packages', 'GET /api/packages']);
  });

  it('takes the lock over from a stalled tab without waiting further', async () => {
    const client = clientOver(needing(fresh, () => json({ accessToken: fresh })));
    void client.locks.withLock('kaya-refresh', () => new Promise(() => {})).catch(() => undefined);
    expect((await client.api.pullPackages('')).rows).toHaveLength(1);
    // The lock is free again: the next one need not wait.
    expect(client.locks.held()).toEqual([]);
  });

  it('that is only slow and loses its lock still counts', async () => {
    const client = clientOver(
      needing(fresh, async () => {
        await client.locks.withLock('kaya-refresh', async () => {}, { isStolen: true });
        return json({ accessToken: fresh });
      }),
    );
    expect((await client.api.pullPackages('')).rows).toHaveLength(1);
    expect(client.token()).toBe(fresh);
    expect(client.ended).toEqual([]);
  });

  it('is skipped by a tab that gets the lock after another stored a fresh token', async () => {
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
    const call = client.api.pullPackages('');
    setTimeout(() => letGo(), 5);
    expect((await call).rows).toHaveLength(1);
    expect(client.routes()).toEqual(['GET /api/packages', 'GET /api/packages']);
  });

  it('is skipped after a log-out', async () => {
    const client = clientOver(() => {
      client.put(null);
      return denied();
    });
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/packages']);
    expect(client.ended).toEqual([]);
  });

  it("never sends one user's request with another's token", async () => {
    const client = clientOver(() => {
      client.put(tokenFor(ids.otherCourier));
      return denied();
    });
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/packages']);
  });

  it('overtaken by another tab does not sign out: its token is valid', async () => {
    const client = clientOver(
      needing(fresh, () => {
        client.put(fresh);
        return denied();
      }),
    );
    expect((await client.api.pullPackages('')).rows).toHaveLength(1);
    expect(client.ended).toEqual([]);
  });

  it.each([401, 403])('refused with %i ends the session and reports it once', async (status) => {
    const client = clientOver(needing(fresh, () => denied(status)));
    const failures = await Promise.all(
      Array.from({ length: 4 }, () => failureOf(client.api.pullPackages(''))),
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
  ])('that %s does not sign out', async (_, refresh, kind) => {
    const client = clientOver(needing(fresh, refresh));
    const failure = await failureOf(client.api.pullPackages(''));
    expect(failure.kind).toBe(kind);
    expect(failure.status).not.toBe(403);
    expect(failure.code).not.toBe('session_expired');
    expect(client.ended).toEqual([]);
    expect(client.token()).toBe(old);
  });

  it('is made once: a second 403 is a refusal of permission', async () => {
    const client = clientOver((sent) =>
      sent.route === 'GET /api/auth/refresh'
        ? json({ accessToken: fresh })
        : json({ code: 'forbidden', message: 'Not yours.' }, 403),
    );
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    expect(client.sent).toHaveLength(3);
    expect(client.ended).toEqual([]);
  });

  it("answered for another user never sends this user's work as theirs", async () => {
    const other = tokenFor(ids.otherCourier);
    const client = clientOver(needing(other, () => json({ accessToken: other })));
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/packages', 'GET /api/auth/refresh']);
    expect(client.token()).toBe(old);
    expect(client.ended).toHaveLength(1);
  });

  it("knows the device's user before the first token", async () => {
    const other = tokenFor(ids.otherCourier);
    const client = clientOver(
      needing(other, () => json({ accessToken: other })),
      {
        token: null,
        expected: ids.courier,
      },
    );
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({ code: 'session_expired' });
    expect(client.routes()).toEqual(['GET /api/auth/refresh']);
  });

  it.each([401, 403])('answered %i by an intermediary ends no session', async (status) => {
    const blocked = () =>
      new Response('error code: 1020', { status, headers: { 'content-type': 'text/plain' } });
    const client = clientOver(() => blocked());
    expect(await failureOf(client.api.pullPackages(''))).toMatchObject({ kind: 'malformed' });
    expect(await failureOf(client.api.refresh())).toMatchObject({ kind: 'malformed' });
    expect(client.ended).toEqual([]);
    expect(client.token()).toBe(old);
  });

  it("comes first if the token is another user's: nothing is sent as them", async () => {
    const mine = tokenFor(ids.courier);
    const client = clientOver(
      needing(mine, () => json({ accessToken: mine })),
      { token: tokenFor(ids.otherCourier), expected: ids.courier },
    );
    await client.api.pullPackages('');
    expect(client.routes()).toEqual(['GET /api/auth/refresh', 'GET /api/packages']);
    expect(client.sent[1]?.bearer).toBe(`Bearer ${mine}`);
  });

  it('answered after another sign-in leaves the new token in place', async () => {
    const theirs = tokenFor(ids.otherCourier);
    const client = clientOver(({ route }) => {
      if (!route.endsWith('refresh')) return denied();
      client.put(theirs);
      return json({ accessToken: fresh });
    });
    await failureOf(client.api.pullPackages(''));
    expect(client.token()).toBe(theirs);
  });

  it("requested on load returns the token, or the server's own refusal", async () => {
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

  it('never follows a password that was typed again and is wrong', async () => {
    const client = clientOver(() => json({ code: 'wrong_password', message: 'Wrong.' }, 401));
    const body = { bankCode: '058', accountNumber: '0123456789', password: 'secret-one' };
    const failure = await failureOf(client.api.putBankAccount(body, 'the-key'));
    expect(failure).toMatchObject({ status: 401, code: 'wrong_password' });
    expect(client.sent.map(({ route }) => route)).toEqual(['PUT /api/payouts/account']);
    expect(client.ended).toEqual([]);
  });
});
