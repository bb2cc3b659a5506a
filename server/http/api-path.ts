import type { FastifyRequest } from 'fastify';

/** Absolute form ('http://host/path'), as sent to proxies. */
const origin = /^https?:\/\/[^/?]*/;

/** The path without its query, decoded as the router decodes it. */
export function pathnameOf(url: string): string {
  const pathname = url.replace(origin, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

/**
 * Is this under /api, however it is encoded ('/%61pi/users')? A known route counts by its pattern,
 * to agree with the router; anything else by its path.
 */
export function isUnderApi({ routeOptions, url }: FastifyRequest): boolean {
  const isApi = (path: string) => path === '/api' || path.startsWith('/api/');
  return isApi(routeOptions.url ?? '') || isApi(pathnameOf(url));
}
