import type { FastifyRequest } from 'fastify';

/** Absolute form ('http://host/path'), as sent to proxies. */
const origin = /^https?:\/\/[^/?]*/;

function decoded(segment: string): string {
  try {
    return decodeURI(segment);
  } catch {
    return segment;
  }
}

/** The path without its query, decoded as the router decodes it; a segment that cannot be stays. */
export function pathnameOf(url: string): string {
  const pathname = url.replace(origin, '').split(/[?#]/, 1)[0] ?? '';
  return pathname.split('/').map(decoded).join('/');
}

/**
 * Is this under /api, however it is encoded ('/%61pi/users')? A known route counts by its pattern,
 * to agree with the router; anything else by its path.
 */
export const isUnderApi = (request: FastifyRequest): boolean => isUnder(request, ['/api']);

/** Is this the page of a recipient's link, or a call below it? */
export const isOfRecipients = (request: FastifyRequest): boolean =>
  isUnder(request, ['/t', '/api/track']);

function isUnder({ routeOptions, url }: FastifyRequest, roots: readonly string[]): boolean {
  const paths = [routeOptions.url ?? '', pathnameOf(url)];
  return paths.some((path) => roots.some((root) => path === root || path.startsWith(`${root}/`)));
}
