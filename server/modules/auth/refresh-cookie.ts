/**
 * The refresh token's cookie: HttpOnly, SameSite=Strict, only for /api/auth (DESIGN.md section 7).
 * Secure unless the product is being run on this machine over plain HTTP.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';
import type { RefreshToken } from './session-service.ts';

const cookieName = 'kaya_refresh';
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export interface RefreshCookie {
  read(request: FastifyRequest): string | null;
  set(request: FastifyRequest, reply: FastifyReply, refresh: RefreshToken): void;
  clear(request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * In production the cookie is Secure for every host but this machine, whatever the proxy says; with
 * a PUBLIC_URL of https for every host.
 */
export function createRefreshCookie({
  isProduction,
  publicUrl,
}: Pick<Config, 'isProduction' | 'publicUrl'>): RefreshCookie {
  const isPublicHttps = isProduction && publicUrl?.startsWith('https:') === true;
  const optionsFor = (request: FastifyRequest) => ({
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'strict' as const,
    secure:
      request.protocol === 'https' ||
      isPublicHttps ||
      (isProduction && !localHosts.has(request.hostname)),
  });
  return {
    read: (request) => request.cookies[cookieName] ?? null,
    set: (request, reply, { token, maxAgeSeconds }) => {
      const lasting = maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds };
      reply.setCookie(cookieName, token, { ...optionsFor(request), ...lasting });
    },
    clear: (request, reply) => {
      reply.clearCookie(cookieName, optionsFor(request));
    },
  };
}
