/**
 * The service worker's listeners. It caches the shell, so that the app opens offline; it never
 * handles /api, whose offline copy is the mirror.
 */
import { cacheNames } from 'workbox-core';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { outboxSyncTag } from '#sync/outbox/background.ts';
import { drainOutbox, stopFormerDrains } from './drain.ts';
import { openFrom, showPush, subscribeAgain } from './notifications.ts';
import { answerPart, dropOldParts, keepPart, renewParts, sorted } from './parts.ts';
import { underPolicy } from './policy.ts';
import { answerConfig, configPath, keptPolicy } from './runtime-config.ts';
import { answerTile, mayBeTile } from './tiles.ts';

declare const self: ServiceWorkerGlobalScope;

const { shell: shellFiles, parts } = sorted(self.__WB_MANIFEST);
precacheAndRoute(shellFiles);
cleanupOutdatedCaches();

// Requests that need no worker do not wait for it to start or to find time. Waking a worker about
// to be replaced makes Chromium keep it alive for another 30 s. Files missing in the cache come
// from the network.
const routes = [
  // Calls, and the recipient's page with its scripts.
  ...['/api/*', '/t/*', '/track/*'].map(
    (pathname) => ({ condition: { urlPattern: { pathname } }, source: 'network' }) as const,
  ),
  ...parts.map(
    (pathname) => ({ condition: { urlPattern: { pathname } }, source: 'fetch-event' }) as const,
  ),
  {
    condition: { urlPattern: { pathname: '/assets/*' } },
    source: { cacheName: cacheNames.precache },
  },
] as const;
self.addEventListener('install', (event) => {
  void event.addRoutes?.(routes);
  event.waitUntil(renewParts(parts));
});

// Every navigation gets the app's one page, except server-only paths.
const shell = createHandlerBoundToURL('/index.html');
registerRoute(
  new NavigationRoute(
    async (options) => underPolicy(...(await Promise.all([shell(options), keptPolicy()]))),
    {
      denylist: [/^\/api\//, /^\/t\//, /^\/sandbox\//, /^\/config\.json$/, /^\/(healthz|readyz)$/],
    },
  ),
);

registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname === configPath,
  ({ event }) => answerConfig(event),
);
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && parts.includes(url.pathname),
  ({ request }) => answerPart(request),
);
registerRoute(mayBeTile, ({ event, request }) => answerTile(event, request));

// An update waits for consent (app/pwa/service-worker.ts), then takes over immediately: the browser
// would wait up to five minutes for a busy worker.
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') {
    stopFormerDrains();
    void self.skipWaiting();
  }
  if (event.data?.type === 'KEEP_PARTS') {
    event.waitUntil(keepPart(parts, event.data.part));
  }
});

// Takes over the page that installed it, so that an offline reload works straight away.
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
  event.waitUntil(dropOldParts(parts));
});

// The network is back, perhaps with no tab open.
self.addEventListener('sync', (event) => {
  if (event.tag === outboxSyncTag) event.waitUntil(drainOutbox());
});

self.addEventListener('push', (event) => event.waitUntil(showPush(event.data)));
self.addEventListener('notificationclick', (event) =>
  event.waitUntil(openFrom(event.notification)),
);
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)));
