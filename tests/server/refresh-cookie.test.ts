/** The session cookie is sent over plain HTTP on localhost only. */
import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createRefreshCookie } from '#server/modules/auth/refresh-cookie.ts';

type Settings = Parameters<typeof createRefreshCookie>[0];

async function cookieFor(settings: Settings, host: string): Promise<string> {
  const app = Fastify();
  await app.register(cookie);
  const refresh = createRefreshCookie(settings);
  app.get('/', async (request, reply) => {
    refresh.set(request, reply, { token: 'secret', maxAgeSeconds: null });
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
