/**
 * The map's files: what was seen stays seen without a network. Never fetched ahead;
 * kept for as long as tile-lifetime.ts says, and after that for the time when there is no network; 800
 * at most, the longest unseen goes first; all of them go before the phone refuses to keep somebody's work.
 */
import { ExpirationPlugin } from 'workbox-expiration';
import { Strategy, type StrategyHandler } from 'workbox-strategies';
import { isOfMap, tileCacheName } from '#domain/tile-source.ts';
import { currentConfig } from './runtime-config.ts';
import { goodUntil, isPage } from './tile-lifetime.ts';

declare const self: ServiceWorkerGlobalScope;

const maxTiles = 800;
/** Cross-origin answers hide their Date, so it is noted here. */
const goodUntilHeader = 'x-kaya-good-until';

/** As long as a tile may take, its last byte included: one that stalls keeps the others waiting. */
const longestFetchMs = 20_000;

/**
 * Opaque answers (no CORS) are of no use to the map and cost 7 MB of quota each; one that came from
 * somewhere else is not to be shown past the Content-Security-Policy by way of its copy.
 */
async function isKeepable(answer: Response): Promise<boolean> {
  if (answer.status !== 200 || answer.type === 'opaque' || isPage(answer.headers)) return false;
  return !answer.redirected || isFileOfMap(answer.url);
}

/** As it is kept; null: there is nothing in it. */
async function stamped(answer: Response): Promise<Response | null> {
  const headers = new Headers(answer.headers);
  headers.set(goodUntilHeader, String(goodUntil(answer.headers, Date.now())));
  const body = await answer.blob();
  return body.size === 0 ? null : new Response(body, { status: 200, headers });
}

const isGood = (copy: Response) => Number(copy.headers.get(goodUntilHeader)) > Date.now();

/** A good copy; else the network; else a copy that was good once; else what the network said. */
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

/** As a strategy takes it; the plugin's own type leaves room for `undefined` where that has none. */
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

/** Asked synchronously, so by what can be seen: the settings decide when it is answered. */
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

/** What is not the map's goes by as if there were no worker. */
export async function answerTile(event: ExtendableEvent, request: Request): Promise<Response> {
  if (!(await isFileOfMap(request.url))) return fetch(request);
  try {
    const [answer, done] = tiles.handleAll({ event, request });
    // A full phone keeps no more of them; the page has its tile.
    event.waitUntil(done.catch(() => undefined));
    return await answer;
  } catch {
    // The page hears of it as of any lost request; a rejection would be an error of the worker's.
    return Response.error();
  }
}
