/**
 * Parts of the app that only some people need: a courier's phone does not fetch the dispatcher's
 * screens. Whoever needs them has them kept, and from then on each version brings its own.
 */
import type { PrecacheEntry } from 'workbox-precaching';

const cacheName = 'kaya-parts';

/** By the name of src/features/users/components/dispatcher-parts.tsx; all else is the shell. */
const isPartOf = /^assets\/dispatcher-parts-/;

const urlOf = (entry: PrecacheEntry | string) => (typeof entry === 'string' ? entry : entry.url);

/** Everything that the build made, told apart. */
export function sorted(manifest: readonly (PrecacheEntry | string)[]) {
  const shell = manifest.filter((entry) => !isPartOf.test(urlOf(entry)));
  const parts = manifest.map(urlOf).filter((url) => isPartOf.test(url));
  return { shell, parts: parts.map((url) => `/${url}`) };
}

/** Rejects where one of them does not come; what is kept already is not fetched again. */
export async function keepParts(parts: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const kept = await Promise.all(parts.map((part) => cache.match(part)));
  await cache.addAll(parts.filter((_, place) => !kept[place]));
}

/** For a new version: whoever has the parts of the old one gets those of the new. */
export async function renewParts(parts: readonly string[]): Promise<void> {
  if (await caches.has(cacheName)) await keepParts(parts);
}

/** Once no page of an old version is left. */
export async function dropOldParts(parts: readonly string[]): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const cache = await caches.open(cacheName);
  for (const request of await cache.keys()) {
    if (!parts.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
}

/** Rejects where it is neither kept nor to be had. */
export async function answerPart(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName })) ?? fetch(request);
}
