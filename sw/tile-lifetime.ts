/** How long a file of the map is good: pure, so that it can be tried out. */

/** OpenStreetMap's policy: by the server's headers, or at least seven days. */
export const shortestMs = 7 * 24 * 60 * 60_000;
/** A server that says 'for ever' means the file, not a phone's memory of a street that was moved. */
export const longestMs = 365 * 24 * 60 * 60_000;

function serversMs(headers: Headers, now: number): number {
  const seconds = /(?:^|[\s,])max-age=(\d+)/i.exec(headers.get('cache-control') ?? '')?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? 0 : expires - now;
}

const typeOf = (headers: Headers) => headers.get('content-type') ?? '';

/** A page where a file of the map was asked for: a portal's, or an error that calls itself well. */
export const isPage = (headers: Headers): boolean => /\bx?html\b/i.test(typeOf(headers));

/** What says where tiles are, and may say something else tomorrow: styles, TileJSON, sprites' maps. */
const isDirectory = (headers: Headers) => /\bjson\b/i.test(typeOf(headers));

/** Until when the file need not be asked for again, ms since 1970. */
export function goodUntil(headers: Headers, now: number): number {
  const leastMs = isDirectory(headers) ? 0 : shortestMs;
  return now + Math.min(Math.max(serversMs(headers, now), leastMs), longestMs);
}
