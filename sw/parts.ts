/** Optional chunks: only dispatchers' phones cache the dispatcher's screens. */
import type { PrecacheEntry } from 'workbox-precaching';

const cacheName = 'kaya-parts';

/** Chunk names from vite.config.ts; everything else is the shell. */
const isPartOf = /^assets\/dispatcher-parts-/;

const urlOf = (entry: PrecacheEntry | string) => (typeof entry === 'string' ? entry : entry.url);

export function sorted(manifest: readonly (PrecacheEntry | string)[]) {
  const shell = manifest.filter((entry) => !isPartOf.test(urlOf(entry)));
  const parts = manifest.map(urlOf).filter((url) => isPartOf.test(url));
  return { shell, parts: parts.map((url) => `/${url}`) };
}

/** Rejects if one cannot be fetched; skips those already cached. */
export async function keepParts(parts: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const kept = await Promise.all(parts.map((part) => cache.match(part)));
  await cache.addAll(parts.filter((_, place) => !kept[place]));
}

/** On an update: only for phones that have the old version's parts. */
export async function renewParts(parts: readonly string[]): Promise<void> {
  if (await caches.has(cacheName)) await keepParts(parts);
}

/** Call once no page of an old version is left. */
export async function dropOldParts(parts: readonly string[]): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const cache = await caches.open(cacheName);
  for (const request of await cache.keys()) {
    if (!parts.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
}

/** Rejects if neither cached nor reachable. */
export async function answerPart(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName })) ?? fetch(request);
}
