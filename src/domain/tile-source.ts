/** The map's sources, for the Content-Security-Policy, the page and the service worker. */

/** The worker's tile cache; the page deletes it first when the phone is full. */
export const tileCacheName = 'kaya-tiles';

/** The part of /config.json that decides which requests are the map's. */
export interface MapFiles {
  /** Template; null: no raster tiles. */
  tileUrl: string | null;
  /** URL of a style (JSON), used instead of raster tiles; null: none. */
  styleUrl: string | null;
  /** As in a Content-Security-Policy ('https://*.tiles.example'), normalised. */
  sources: readonly string[];
}

/** Every URL a template stands for, for a library that knows neither subdomains nor '{r}'. */
export function tileUrlsOf(template: string): string[] {
  const plain = template.replaceAll('{r}', '');
  if (!plain.includes('{s}')) return [plain];
  return ['a', 'b', 'c'].map((subdomain) => plain.replaceAll('{s}', subdomain));
}

function isFrom(origin: string, source: string): boolean {
  const [before = '', after, ...rest] = source.split('*');
  if (after === undefined || rest.length > 0) return origin === source;
  const label = origin.slice(before.length, origin.length - after.length);
  return origin.startsWith(before) && origin.endsWith(after) && /^[^/:]+$/.test(label);
}

function fixedPart(address: string): string {
  const end = address.search(/[{?]/);
  const fixed = end < 0 ? address : address.slice(0, end);
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
}

/** By host, or on the app's own origin (`ownOrigin`) by path. */
export function isOfMap(
  { origin, href }: { origin: string; href: string },
  { tileUrl, styleUrl, sources }: MapFiles,
  ownOrigin: string,
): boolean {
  if (origin !== ownOrigin) return sources.some((source) => isFrom(origin, source));
  return [tileUrl, styleUrl].some((address) => {
    const fixed = address === null ? '' : fixedPart(address);
    // All of our own host would be the app itself.
    return href.startsWith(fixed) && fixed.length > `${ownOrigin}/`.length;
  });
}
