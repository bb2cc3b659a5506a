/** HTTP attacks: other sites, forged tokens, slow connections, malformed headers. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { timeLimits } from '#server/config/timeouts.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { createAccessTokens } from '#server/modules/auth/access-tokens.ts';
import { listenOn } from './sse-client.ts';
import { fileStage, goodPassword, type Person } from './stage.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kaya-security-'));
const webFolder = path.join(folder, 'web');
mkdirSync(webFolder);
writeFileSync(path.join(webFolder, 'index.html'), '<!doctype html><title>Kaya</title>');
writeFileSync(path.join(folder, 'secret.txt'), 'the-secret-beside-the-web-folder');
afterAll(() => rmSync(folder, { recursive: true }));

const jwtSecret = 'a-secret-that-only-this-test-knows-1234';
const publicUrl = 'https://kaya.example';
const stage = fileStage({ JWT_SECRET: jwtSecret, PUBLIC_URL: publicUrl }, webFolder);
const production = { NODE_ENV: 'production', RATE_LIMIT: 'on', PAYMENTS: 'sandbox' };

const host = 'kaya.local:3000';

describe('calls authenticated by cookie', () => {
  type Call = ['GET' | 'POST', string, unknown?];
  const calls = (person: Person): Call[] => [
    ['GET', '/api/auth/refresh'],
    ['POST', '/api/auth/logout'],
    ['POST', '/api/auth/login', { email: person.email, password: goodPassword }],
    [
      'POST',
      '/api/auth/signup',
      { email: `${randomUUID()}@kaya.test`, password: goodPassword, role: 'Customer' },
    ],
  ];

  async function outcomes(from: Record<string, string>) {
    const person = await stage().person('Customer');
    const answers = [];
    for (const [method, url, body] of calls(person)) {
      const headers = { host, cookie: person.cookie, ...from };
      const answer = await stage().send(null, method, url, { body, headers });
      answers.push([answer.status, answer.body.code, answer.headers['set-cookie'] !== undefined]);
    }
    return answers;
  }

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site', origin: `http://${host}` }],
    [{ 'sec-fetch-site': 'anything else' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://pay.kaya.local:3000' }],
    [{ origin: 'http://kaya.local:4000' }],
    [{ origin: 'null' }],
    [{ origin: 'not an origin' }],
  ])('are refused with %j, leaving the cookie alone', async (from) => {
    const refused = [403, 'cross_site', false];
    expect(await outcomes(from)).toEqual([refused, refused, refused, refused]);
  });

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:5173' }],
    [{ origin: `http://${host}` }],
    [{ origin: 'http://KAYA.local:3000', host: 'Kaya.Local:3000' }],
    [{ origin: publicUrl }],
  ])('are accepted with %j', async (from) => {
    const statuses = (await outcomes(from)).map(([status]) => status);
    // The logout ended the session that refresh had just renewed, so each had its effect.
    expect(statuses).toEqual([200, 200, 200, 201]);
  });

  it('are limited to these: a cookie without a bearer does nothing else', async () => {
    const person = await stage().person('Customer');
    const headers = { cookie: person.cookie };
    for (const [method, url] of [
      ['GET', '/api/users'],
      ['PATCH', '/api/users'],
      ['POST', '/api/packages'],
      ['POST', '/api/payments/initiate'],
    ] as const) {
      const answer = await stage().send(null, method, url, { headers });
      expect([url, answer.status, answer.body.code]).toEqual([url, 401, 'unauthenticated']);
    }
  });
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function forged(header: object, claims: object, secret: string, hash = 'sha256'): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

describe('an access token', () => {
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number;
      sub: string;
    };
  const hs256 = { alg: 'HS256' };

  async function statusWith(person: Person, token: string) {
    const answer = await stage().send({ ...person, token }, 'GET', '/api/packages');
    return [answer.status, answer.body.code];
  }

  it('signed by us is accepted: each forgery below differs in one respect', async () => {
    const person = await stage().person('Customer');
    const [status] = await statusWith(person, forged(hs256, claimsOf(person.token), jwtSecret));
    expect(status).toBe(200);
  });

  it.each<[string, (claims: ReturnType<typeof claimsOf>) => string]>([
    ['without a signature', (claims) => `${part({ alg: 'none' })}.${part(claims)}.`],
    ['of alg NONE', (claims) => forged({ alg: 'NONE' }, claims, jwtSecret)],
    ['of another algorithm', (claims) => forged({ alg: 'HS512' }, claims, jwtSecret, 'sha512')],
    ['that lies about it', (claims) => forged({ alg: 'RS256' }, claims, jwtSecret)],
    ['of another secret', (claims) => forged(hs256, claims, `${jwtSecret}x`)],
    ['of an empty secret', (claims) => forged(hs256, claims, '')],
    ['that expired', (claims) => forged(hs256, { ...claims, exp: claims.exp - 3600 }, jwtSecret)],
    ['that never expires', ({ exp: _, ...claims }) => forged(hs256, claims, jwtSecret)],
    [
      'for another user',
      (claims) => {
        const [header, , signature] = forged(hs256, claims, jwtSecret).split('.');
        return `${header}.${part({ ...claims, sub: randomUUID() })}.${signature}`;
      },
    ],
    ['of an unknown user', (claims) => forged(hs256, { ...claims, sub: randomUUID() }, jwtSecret)],
    ['of no session', (claims) => forged(hs256, { ...claims, sid: randomUUID() }, jwtSecret)],
    ['with a key of its own', (claims) => forged({ ...hs256, jwk: {} }, claims, 'its-own')],
    ['that is text', () => 'nonsense'],
    ['of 8 kB', () => 'x'.repeat(8000)],
  ])('%s is refused', async (_, forge) => {
    const person = await stage().person('Customer');
    const outcome = await statusWith(person, forge(claimsOf(person.token)));
    expect(outcome).toEqual([401, 'session_expired']);
  });
});

const userInfo = {
  id: randomUUID(),
  email: 'ali@kaya.test',
  firstName: 'Ali',
  lastName: 'Musa',
  roles: ['Employee' as const],
};
const sessionId = randomUUID();

it('a cached token is refused from the second it expires', async () => {
  let nowMs = Date.parse('2026-11-21T09:00:00.000Z');
  const tokens = createAccessTokens(jwtSecret, () => new Date(nowMs));
  const token = await tokens.sign(userInfo, sessionId);
  const claims = { userId: userInfo.id, sessionId };
  expect(await tokens.verify(token)).toEqual(claims);
  nowMs += 15 * 60_000 - 1;
  expect(await tokens.verify(token)).toEqual(claims);
  nowMs += 1;
  expect(await tokens.verify(token)).toBeNull();
  expect(await tokens.verify(token)).toBeNull();
});

it('a cached token does not validate a token that differs in any byte', async () => {
  const tokens = createAccessTokens(jwtSecret, stage().now);
  const token = await tokens.sign(userInfo, sessionId);
  const other = await tokens.sign({ ...userInfo, id: randomUUID() }, sessionId);
  expect(await tokens.verify(token)).not.toBeNull();
  const [header = '', payload = '', signature = ''] = token.split('.');
  const foreign = other.split('.');
  for (const parts of [
    [header, foreign[1], signature],
    [header, payload, foreign[2]],
    [header, payload, ''],
    [header, payload],
  ]) {
    expect(await tokens.verify(parts.join('.'))).toBeNull();
  }
});

describe('files', () => {
  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/....//secret.txt',
    '/assets/../../secret.txt',
    '/%252e%252e/secret.txt',
    '/secret.txt%00.html',
  ])('beside the web folder are not served: %s', async (url) => {
    const answer = await stage().send(null, 'GET', url);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toContain('the-secret');
    expect(answer.text).not.toContain('root:');
  });
});

/** The server's reply to these bytes over a real connection, until it closes. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  // A reset counts as an end.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

/** The port of a server with these time limits. */
async function portOf(times: Partial<typeof timeLimits> = {}): Promise<number> {
  const { app } = await stage().another({ times });
  return Number(new URL(await listenOn(app)).port);
}

describe('a connection', () => {
  it('with unfinished headers or body is closed, while others are served', async () => {
    const port = await portOf({ headersMs: 150, requestMs: 300, checkEveryMs: 30 });
    const endless = answerTo(port, 'GET /healthz HTTP/1.1\r\nHost: kaya\r\nX-Slow: ');
    const half = answerTo(
      port,
      'POST /api/auth/login HTTP/1.1\r\nHost: kaya\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em',
    );
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    for (const answer of [await endless, await half]) {
      expect(answer).toContain(' 408 ');
      expect(answer).toContain('"code":"request_timeout"');
    }
  });

  it('with oversized, smuggled or broken headers is answered with a 4xx', async () => {
    const port = await portOf();
    const end = 'Connection: close\r\n\r\n';
    const start = 'GET /api/users HTTP/1.1\r\nHost: kaya\r\n';
    for (const [bytes, status, code] of [
      [`${start}X-Long: ${'x'.repeat(20_000)}\r\n${end}`, 431, 'headers_too_large'],
      [`${start}X-Bad: a\u0000b\r\n${end}`, 400, 'malformed'],
      [`GET /api/users HTTP/1.1\r\n${end}`, 400, 'malformed'],
      [`${start}Host: evil.example\r\n${end}`, 400, 'malformed'],
      [`GET / HTTP/1.1\r\nHost: kaya\r\nhost: kaya\r\n${end}`, 400, 'malformed'],
      [`${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${end}`, 400, 'malformed'],
      [`${start}Content-Length: 5\r\nContent-Length: 6\r\n${end}`, 400, 'malformed'],
      ['nonsense\r\n\r\n', 400, 'malformed'],
    ] as const) {
      const answer = await answerTo(port, bytes);
      expect(answer, bytes.slice(0, 80)).toMatch(`HTTP/1.1 ${status} `);
      const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
      expect(body, bytes.slice(0, 80)).toEqual({ code, message: errorCatalogue[code].message });
    }
  });

  it('with a broken pipelined request gets no answer to it inside the previous response', async () => {
    const first = 'GET /readyz HTTP/1.1\r\nHost: kaya\r\n\r\n';
    const answer = await answerTo(await portOf(), `${first}nonsense\r\n\r\n`);
    expect(answer).not.toContain('HTTP/1.1 400');
  });
});

describe('answers', () => {
  it('do not echo the Host header or the path', async () => {
    const evil = 'evil.example';
    for (const url of [
      '/',
      '/api/packages',
      '/api/unknown%0d%0aSet-Cookie:%20a=b',
      '/config.json',
    ]) {
      const headers = { host: evil, 'x-forwarded-host': evil, 'x-request-id': evil };
      const answer = await stage().send(null, 'GET', url, { headers });
      expect(JSON.stringify([answer.headers, answer.text]), url).not.toContain(evil);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('send HSTS for half a year in production only', async () => {
    const live = await stage().another({ environment: production });
    const answer = await live.send(null, 'GET', '/');
    expect(answer.headers['strict-transport-security']).toBe('max-age=15552000');
    const here = await stage().send(null, 'GET', '/');
    expect(here.headers['strict-transport-security']).toBeUndefined();
  });
});
