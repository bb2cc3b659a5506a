/**
 * Where the map's files come from, as one list of sources that the Content-Security-Policy, the page and
 * the service worker all go by.
 */

/** Where the worker keeps tiles, and what the page gives up first on a phone that is full. */
export const tileCacheName = 'kaya-tiles';

/** What /config.json says of the map, as far as it decides which requests are the map's. */
export interface MapFiles {
  /** Template of raster tiles; null: there are none. */
  tileUrl: string | null;
  /** Address of a style (JSON) in place of raster tiles; null: there is none. */
  styleUrl: string | null;
  /** As a Content-Security-Policy names them, such as 'https://*.tiles.example': as browsers write them. */
  sources: readonly string[];
}

/** Every address that a template stands for, for a library that knows neither subdomains nor '{r}'. */
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

/** Up to what differs from tile to tile, or the folder of the style. */
function fixedPart(address: string): string {
  const end = address.search(/[{?]/);
  const fixed = end < 0 ? address : address.slice(0, end);
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
}

/**
 * Whether the request is one of the map's: by its host, or, where that is the app's own, by its path.
 * `ownOrigin` is that of the app.
 */
export function isOfMap(
  { origin, href }: { origin: string; href: string },
  { tileUrl, styleUrl, sources }: MapFiles,
  ownOrigin: string,
): boolean {
  if (origin !== ownOrigin) return sources.some((source) => isFrom(origin, source));
  return [tileUrl, styleUrl].some((address) => {
    const fixed = address === null ? '' : fixedPart(address);
    // A whole host of ours would be the app itself.
    return href.startsWith(fixed) && fixed.length > `${ownOrigin}/`.length;
  });
}
