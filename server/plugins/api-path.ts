import type { FastifyRequest } from 'fastify';

/** An address may come whole ('http://host/path'), as proxies are asked. */
const origin = /^https?:\/\/[^/?]*/;

/** The path without its query, decoded as the router does it. */
export function pathnameOf(url: string): string {
  const pathname = url.replace(origin, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

/**
 * Is this under /api, however it is spelled ('/%61pi/users')? What the router knows counts by the
 * route that it found, so that both always mean the same; what it does not know, by its path.
 */
export function isUnderApi({ routeOptions, url }: FastifyRequest): boolean {
  const isApi = (path: string) => path === '/api' || path.startsWith('/api/');
  return isApi(routeOptions.url ?? '') || isApi(pathnameOf(url));
}
