/** When a map is worth loading, and when a failing source is tried again. */
import { useCallback, useSyncExternalStore } from 'react';
import { readRuntimeConfig } from '#api/runtime-config.ts';
import type { MapConfig } from '#contract/runtime-config.ts';
import type { KayaMap } from './components/kaya-map.tsx';

export interface MapLibrary {
  KayaMap: typeof KayaMap;
}

export interface LoadedMap extends MapLibrary {
  config: MapConfig;
}

/** Network Information is Chromium's. */
interface MaybeConnection {
  connection?: { saveData?: boolean };
}

/** The phone is set to save data, and nothing here costs more than a map. */
function isSparingData(): boolean {
  const { connection } = navigator as MaybeConnection;
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches;
}

/** Checked before a quarter of a megabyte is fetched that could draw nothing. */
function hasWebGl(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2');
    // Browsers allow a page a handful at a time.
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}

/**
 * The map with its configuration; null where this phone should or can have none, or the deployment
 * has no source. `load` fetches the map's own chunk. Rejects where something could not be fetched.
 */
export async function loadMap(load: () => Promise<MapLibrary>): Promise<LoadedMap | null> {
  if (isSparingData() || !hasWebGl()) return null;
  const config = (await readRuntimeConfig())?.map;
  if (!config) throw new Error('There is no /config.json.');
  if (config.style === null && config.tiles.url === null) return null;
  return { ...(await load()), config };
}

/** The longest wait for a service worker. */
const workerLimitMs = 20_000;

async function untilLoaded(): Promise<void> {
  if (document.readyState === 'complete') return;
  await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/**
 * On a first visit the service worker precaches the map's files and caches the tiles that go through
 * it: a map that loads before it would download both twice.
 */
async function untilKept(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, workerLimitMs);
    const taken = () => {
      clearTimeout(timer);
      resolve();
    };
    serviceWorker.addEventListener('controllerchange', taken, { once: true });
  });
}

async function untilIdle(): Promise<void> {
  await new Promise<void>((resolve) => {
    // Safari has none.
    if (!('requestIdleCallback' in window)) return setTimeout(resolve, 200);
    requestIdleCallback(() => resolve(), { timeout: 3000 });
  });
}

/** Resolves when the page has nothing else to do: a map must delay no screen. */
export async function untilCalm(): Promise<void> {
  await untilLoaded();
  await untilKept();
  await untilIdle();
}

/** The map's own count of how its files fare. */
export interface TileHealth {
  shown: number;
  failed: number;
}

/** Of some fifteen tiles of a phone's view: if none of so many loads, the source has failed. */
export const tooManyFailed = 4;

/** Nothing has loaded, and nothing is likely to. */
export function isHopeless({ shown, failed }: TileHealth): boolean {
  return shown === 0 && failed >= tooManyFailed;
}

const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;

/** How long a source that failed `times` in a row is left alone, ms. */
export function pauseMs(times: number): number {
  return Math.min(firstPauseMs * 2 ** Math.max(0, times - 1), longestPauseMs);
}

function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

export const useIsDark = () => useMedia('(prefers-color-scheme: dark)');

/** Wider than the column that the screens stand in (tokens.css, --column). */
export const useIsWide = () => useMedia('(min-width: 40rem)');
