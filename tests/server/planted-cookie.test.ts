/** A refresh cookie planted in the browser by another site: a page of a sibling domain can. */
import cookiePlugin from '@fastify/cookie';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { readUserInfo } from '#domain/token.ts';
import { createRefreshCookie } from '#server/modules/auth/refresh-cookie.ts';
import { fileStage, goodPassword, outcomeOf, type Person, refresh } from './stage.ts';

const stage = fileStage({ TRUST_PROXY: 'on' });
const overHttps = { 'x-forwarded-proto': 'https' };

/** The values of a cookie set by an answer, by name; '' if cleared. */
function cookiesOf({ headers }: { headers: Record<string, unknown> }): Record<string, string> {
  const lines = [headers['set-cookie'] ?? []].flat().map(String);
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return [name, value];
    }),
  );
}

async function signInOverHttps({ email }: Person): Promise<string> {
  const body = { email, password: goodPassword };
  const answer = await stage().send(null, 'POST', '/api/auth/login', { body, headers: overHttps });
  // No other domain can set this name.
  expect(answer.headers['set-cookie'], answer.text).toMatch(
    /^__Host-kaya_refresh=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  return cookiesOf(answer)['__Host-kaya_refresh'] ?? '';
}

describe('over https', () => {
  it('a cookie under the plain name, once or twice, does not affect the real one', async () => {
    const [victim, attacker] = await stage().people('Customer', 'Customer');
    const own = `__Host-kaya_refresh=${await signInOverHttps(victim)}`;
    const planted = attacker.cookie;
    const answer = await refresh(stage(), `${planted}; ${planted}; ${own}`, overHttps);
    expect(answer.status, answer.text).toBe(200);
    expect(readUserInfo(answer.body.accessToken).id).toBe(victim.id);
  });

  it.each([
    ['the plain name', 'kaya_refresh'],
    ['a no-break space', '\u00a0__Host-kaya_refresh'],
    ['a tab', '\t__Host-kaya_refresh'],
  ])('a name any domain may set (%s) opens no session and ends none', async (_, name) => {
    const token = await signInOverHttps(await stage().person('Customer'));
    const answer = await refresh(stage(), `${name}=${token}`, overHttps);
    expect(outcomeOf(answer)).toEqual([401, 'unauthenticated']);
    expect((await refresh(stage(), `__Host-kaya_refresh=${token}`, overHttps)).status).toBe(200);
  });

  it('a log-out clears the cookie', async () => {
    const cookie = `__Host-kaya_refresh=${await signInOverHttps(await stage().person('Customer'))}`;
    const headers = { ...overHttps, cookie };
    const answer = await stage().send(null, 'POST', '/api/auth/logout', { headers });
    expect(answer.headers['set-cookie']).toMatch(/^__Host-kaya_refresh=; .*Path=\/; .*Secure/);
    expect((await refresh(stage(), cookie, overHttps)).status).toBe(401);
  });
});

describe('duplicate refresh cookies', () => {
  it.each([
    ['GET', '/api/auth/refresh'],
    ['POST', '/api/auth/logout'],
  ] as const)('are refused by %s %s, which ends no session and clears nothing', async (method, path) => {
    const people = [await stage().person('Customer'), await stage().person('Customer')];
    const cookie = people.map((person) => person.cookie).join('; ');
    const answer = await stage().send(null, method, path, { headers: { cookie } });
    expect(outcomeOf(answer)).toEqual([401, 'session_unclear']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    for (const person of people) expect((await refresh(stage(), person.cookie)).status).toBe(200);
  });

  it('leave a log-out to the access token, which ends only its own session', async () => {
    const [victim, attacker] = await stage().people('Customer', 'Customer');
    const cookie = [victim, attacker].map((person) => person.cookie).join('; ');
    const answer = await stage().send(victim, 'POST', '/api/auth/logout', { headers: { cookie } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers['set-cookie']).toMatch(/^kaya_refresh=;/);
    expect((await refresh(stage(), victim.cookie)).status).toBe(401);
    expect((await refresh(stage(), attacker.cookie)).status).toBe(200);
  });
});

async function cookieFor(
  settings: Parameters<typeof createRefreshCookie>[0],
  host: string,
): Promise<string> {
  const app = Fastify();
  await app.register(cookiePlugin);
  const own = createRefreshCookie(settings);
  app.get('/', async (request, reply) => {
    own.set(request, reply, { token: 'secret', maxAgeSeconds: null });
    return {};
  });
  const { headers } = await app.inject({ url: '/', headers: { host } });
  await app.close();
  return String(headers['set-cookie']);
}

const development = { isProduction: false, publicUrl: undefined };
const production = { isProduction: true, publicUrl: undefined };
const behindProxy = { isProduction: true, publicUrl: 'https://kaya.example' };

describe('the refresh cookie', () => {
  it.each([
    ['to any host in production', production, 'kaya.example', true],
    ['to this machine in production', production, 'localhost:3000', false],
    ['where a proxy hides the host of an https address', behindProxy, '127.0.0.1:3000', true],
    ['in development', development, 'localhost:3000', false],
  ])('%s', async (_, settings, host, isSecure) => {
    expect((await cookieFor(settings, host)).includes('; Secure')).toBe(isSecure);
  });
});
