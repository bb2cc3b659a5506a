/**
 * The refresh token's cookie: HttpOnly, SameSite=Strict. Over https its name starts with `__Host-`,
 * which only the app's own host can set: a sibling domain could plant the plain name, and with it a
 * session of its choice (docs/decisions/0060-host-cookie.md). Over plain HTTP (localhost) the plain
 * name, for /api/auth only.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#server/config/config.ts';
import { localHosts } from '#server/http/own-machine.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { RefreshToken } from './session-service.ts';

const common = { httpOnly: true, sameSite: 'strict' } as const;
const plain = { name: 'kaya_refresh', options: { ...common, path: '/api/auth', secure: false } };
const prefixed = {
  name: '__Host-kaya_refresh',
  options: { ...common, path: '/', secure: true },
};

export type RefreshCookie = ReturnType<typeof createRefreshCookie>;

/**
 * Every value: the cookie parser returns only the first. Trims only spaces: browsers let sibling
 * domains set names that start with other white space, such as U+00A0 before `__Host-`.
 */
function valuesOf(request: FastifyRequest, name: string): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.replace(/^ +/, ''));
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** In production the cookie is Secure except on localhost; with an https PUBLIC_URL always. */
export function createRefreshCookie({
  isProduction,
  publicUrl,
}: Pick<Config, 'isProduction' | 'publicUrl'>) {
  const isPublicHttps = isProduction && publicUrl?.startsWith('https:') === true;
  const isSecure = (request: FastifyRequest) =>
    request.protocol === 'https' ||
    isPublicHttps ||
    (isProduction && !localHosts.has(request.hostname));
  const cookieFor = (request: FastifyRequest) => (isSecure(request) ? prefixed : plain);

  return {
    /** Null if there is none. Refuses with `session_unclear` if there are several. */
    read: (request: FastifyRequest): string | null => {
      const [value = null, ...more] = valuesOf(request, cookieFor(request).name);
      if (more.length > 0) throw new Refusal('session_unclear');
      return value;
    },
    set: (request: FastifyRequest, reply: FastifyReply, refresh: RefreshToken): void => {
      const { token, maxAgeSeconds } = refresh;
      const { name, options } = cookieFor(request);
      const lasting = maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds };
      reply.setCookie(name, token, { ...options, ...lasting });
    },
    clear: (request: FastifyRequest, reply: FastifyReply): void => {
      const { name, options } = cookieFor(request);
      reply.clearCookie(name, options);
    },
  };
}
