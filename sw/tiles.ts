/**
 * Caches map files once viewed, never ahead of time; stale ones serve offline. At most 800, and all
 * are dropped before a full phone refuses to save a user's work.
 */
import { ExpirationPlugin } from 'workbox-expiration';
import { Strategy, type StrategyHandler } from 'workbox-strategies';
import { isOfMap, tileCacheName } from '#domain/tile-source.ts';
import { currentConfig } from './runtime-config.ts';
import { goodUntil, isPage } from './tile-lifetime.ts';

declare const self: ServiceWorkerGlobalScope;

const maxTiles = 800;
/** Cross-origin responses hide their Date header, so the expiry is stored. */
const goodUntilHeader = 'x-kaya-good-until';

const longestFetchMs = 20_000;

/**
 * Opaque responses (no CORS) are useless to the map and cost 7 MB of quota each; a redirected one
 * must not bypass the Content-Security-Policy from the cache.
 */
async function isKeepable(answer: Response): Promise<boolean> {
  if (answer.status !== 200 || answer.type === 'opaque' || isPage(answer.headers)) return false;
  return !answer.redirected || isFileOfMap(answer.url);
}

async function stamped(answer: Response): Promise<Response | null> {
  const headers = new Headers(answer.headers);
  headers.set(goodUntilHeader, String(goodUntil(answer.headers, Date.now())));
  const body = await answer.blob();
  return body.size === 0 ? null : new Response(body, { status: 200, headers });
}

const isGood = (copy: Response) => Number(copy.headers.get(goodUntilHeader)) > Date.now();

/** A fresh copy, else the network, else a stale copy, else the network's error. */
class TileStrategy extends Strategy {
  async _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    const copy = await handler.cacheMatch(request);
    if (copy && isGood(copy)) return copy;
    try {
      const signal = AbortSignal.timeout(longestFetchMs);
      const answer = await handler.fetchAndCachePut(new Request(request, { signal }));
      return copy && !answer.ok ? copy : answer;
    } catch (error) {
      if (copy) return copy;
      throw error;
    }
  }
}

/** The plugin type without `undefined`, which Strategy does not accept. */
type Plugin = NonNullable<
  NonNullable<ConstructorParameters<typeof Strategy>[0]>['plugins']
>[number];

const expiration = new ExpirationPlugin({ maxEntries: maxTiles, purgeOnQuotaError: true });

const tiles = new TileStrategy({
  cacheName: tileCacheName,
  plugins: [
    {
      cacheWillUpdate: async ({ response }) =>
        (await isKeepable(response)) ? stamped(response) : null,
    },
    expiration as Plugin,
  ],
});

interface Asked {
  request: Request;
  url: URL;
  sameOrigin: boolean;
}

/** Must be synchronous, so it filters by request only; `answerTile` checks the settings. */
export function mayBeTile({ request, url, sameOrigin }: Asked): boolean {
  const isForeign = !sameOrigin && request.mode === 'cors';
  const isOwn = sameOrigin && request.mode !== 'navigate' && !ofServer.test(url.pathname);
  return isForeign || isOwn;
}

const ofServer = /^\/(api|sandbox|healthz|readyz|config\.json|sw\.js)(\/|$)/;

async function isFileOfMap(address: string): Promise<boolean> {
  const config = await currentConfig();
  if (!config) return false;
  const { tiles: raster, style: styleUrl, sources } = config.map;
  return isOfMap(
    new URL(address),
    { tileUrl: raster.url, styleUrl, sources },
    self.location.origin,
  );
}

/** Requests that are not for the map pass through. */
export async function answerTile(event: ExtendableEvent, request: Request): Promise<Response> {
  if (!(await isFileOfMap(request.url))) return fetch(request);
  try {
    const [answer, done] = tiles.handleAll({ event, request });
    // Out of space: the page still gets its tile.
    event.waitUntil(done.catch(() => undefined));
    return await answer;
  } catch {
    // A rejection would count as an error of the worker; to the page both are a failed request.
    return Response.error();
  }
}
