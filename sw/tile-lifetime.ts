/** OpenStreetMap's tile policy: follow the server's headers, or at least seven days. */
export const shortestMs = 7 * 24 * 60 * 60_000;
/** Caps 'for ever', since streets change. */
export const longestMs = 365 * 24 * 60 * 60_000;

function serversMs(headers: Headers, now: number): number {
  const seconds = /(?:^|[\s,])max-age=(\d+)/i.exec(headers.get('cache-control') ?? '')?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? 0 : expires - now;
}

const typeOf = (headers: Headers) => headers.get('content-type') ?? '';

/** HTML instead of a map file: a captive portal, or an error with status 200. */
export const isPage = (headers: Headers): boolean => /\bx?html\b/i.test(typeOf(headers));

/** Says where tiles are and may change: styles, TileJSON, sprite indexes. */
const isDirectory = (headers: Headers) => /\bjson\b/i.test(typeOf(headers));

/** Milliseconds since 1970 until which the file is fresh. */
export function goodUntil(headers: Headers, now: number): number {
  const leastMs = isDirectory(headers) ? 0 : shortestMs;
  return now + Math.min(Math.max(serversMs(headers, now), leastMs), longestMs);
}
