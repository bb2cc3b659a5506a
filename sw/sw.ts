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
import { outboxSyncTag } from '#sync/background-sync.ts';
import { drainOutbox } from './drain.ts';

declare const self: ServiceWorkerGlobalScope;

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

// What the server alone answers need not wake this worker. A worker that is to be replaced must not be
// woken at all: Chromium then lets it idle for half a minute before it goes.
self.addEventListener('install', (event) => {
  event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' });
});

// Every address of the app is the one page, but what the server alone answers.
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: [/^\/api\//, /^\/sandbox\//, /^\/config\.json$/, /^\/(healthz|readyz)$/],
  }),
);

// An update waits until the person agrees (app/service-worker.ts asks); then it takes over at once.
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});

// The very first worker takes the page that installed it, so that a reload may come offline at once.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// There is a network again, and perhaps no tab: what waits in the outbox is sent from here.
self.addEventListener('sync', (event) => {
  if (event.tag === outboxSyncTag) event.waitUntil(drainOutbox());
});
