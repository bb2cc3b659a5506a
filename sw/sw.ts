/**
 * The service worker: a list of listeners. It keeps the shell, so that the app opens without a
 * network; it never answers for /api, whose truth is the server's and whose copy is the mirror.
 */
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { outboxSyncTag } from '#sync/outbox/background.ts';
import { drainOutbox, stopDraining } from './drain.ts';
import { openFrom, showPush, subscribeAgain } from './notifications.ts';
import { answerPart, dropOldParts, keepParts, renewParts, sorted } from './parts.ts';
import { underPolicy } from './policy.ts';
import { answerConfig, configPath, keptPolicy } from './runtime-config.ts';
import { answerTile, mayBeTile } from './tiles.ts';

declare const self: ServiceWorkerGlobalScope;

const { shell: shellFiles, parts } = sorted(self.__WB_MANIFEST);
precacheAndRoute(shellFiles);
cleanupOutdatedCaches();

// What the server alone answers need not wake this worker. A worker that is to be replaced must not be
// woken at all: Chromium then lets it idle for half a minute before it goes.
self.addEventListener('install', (event) => {
  event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' });
  event.waitUntil(renewParts(parts));
});

// Every address of the app is the one page, but what the server alone answers.
const shell = createHandlerBoundToURL('/index.html');
registerRoute(
  new NavigationRoute(async (options) => underPolicy(await shell(options), await keptPolicy()), {
    denylist: [/^\/api\//, /^\/sandbox\//, /^\/config\.json$/, /^\/(healthz|readyz)$/],
  }),
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

// An update waits until the person agrees (app/pwa/service-worker.ts asks); then it takes over at once. For
// a worker in the middle of something the browser would wait, up to five minutes.
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') {
    self.registration.active?.postMessage({ type: 'MAKE_WAY' });
    void self.skipWaiting();
  }
  if (event.data?.type === 'MAKE_WAY') event.waitUntil(stopDraining());
  if (event.data?.type === 'KEEP_PARTS') event.waitUntil(keepParts(parts));
});

// The very first worker takes the page that installed it, so that a reload may come offline at once.
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
  event.waitUntil(dropOldParts(parts));
});

// There is a network again, and perhaps no tab: what waits in the outbox is sent from here.
self.addEventListener('sync', (event) => {
  if (event.tag === outboxSyncTag) event.waitUntil(drainOutbox());
});

// News of a package, said where the app is closed; a tap opens it.
self.addEventListener('push', (event) => event.waitUntil(showPush(event.data)));
self.addEventListener('notificationclick', (event) =>
  event.waitUntil(openFrom(event.notification)),
);
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)));
