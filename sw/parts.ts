/**
 * Optional chunks: only dispatchers and couriers cache their own screens, only wide windows the desk, only
 * browsers without a reader of QR codes another one.
 */
import type { PrecacheEntry } from 'workbox-precaching';

const cacheName = 'kaya-parts';

/** Chunk names from vite.config.ts; everything else is the shell. */
const isPartOf = /^\/?assets\/(dispatcher-parts|courier-parts|desk|qr-reader)-/;

const nameOf = (url: string) => isPartOf.exec(url)?.[1];

const urlOf = (entry: PrecacheEntry | string) => (typeof entry === 'string' ? entry : entry.url);

export function sorted(manifest: readonly (PrecacheEntry | string)[]) {
  const shell = manifest.filter((entry) => !isPartOf.test(urlOf(entry)));
  const parts = manifest.map(urlOf).filter((url) => isPartOf.test(url));
  return { shell, parts: parts.map((url) => `/${url}`) };
}

/** Rejects if it cannot be fetched; does nothing if it is cached. */
export async function keepPart(parts: readonly string[], name: string): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const part of parts) {
    if (nameOf(part) === name && !(await cache.match(part))) await cache.add(part);
  }
}

/** On an update: those of which the old version's are cached. */
export async function renewParts(parts: readonly string[]): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const old = await (await caches.open(cacheName)).keys();
  const names = new Set(old.map(({ url }) => nameOf(new URL(url).pathname)));
  for (const name of names) if (name) await keepPart(parts, name);
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
