import { readRuntimeConfig } from '#api/runtime-config.ts';
import type { MapConfig } from '#contract/runtime-config.ts';
import type { KayaMap } from './components/kaya-map.tsx';
import { hasWebGl } from './web-gl.ts';

export interface LoadedMap {
  KayaMap: typeof KayaMap;
  config: MapConfig;
}

/** The Network Information API: Chromium only. */
interface MaybeConnection {
  connection?: { saveData?: boolean };
}

/** With data saving on, the map, the largest download, is skipped. */
function isSparingData(): boolean {
  const { connection } = navigator as MaybeConnection;
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches;
}

/** Null if data saving, WebGL or the deployment rules a map out. Rejects if a download fails. */
export async function loadMap(): Promise<LoadedMap | null> {
  if (isSparingData() || !hasWebGl()) return null;
  const config = (await readRuntimeConfig())?.map;
  if (!config) throw new Error('/config.json is missing.');
  if (config.style === null && config.tiles.url === null) return null;
  return { KayaMap: (await import('./components/kaya-map.tsx')).KayaMap, config };
}

const workerLimitMs = 20_000;

async function untilLoaded(): Promise<void> {
  if (document.readyState === 'complete') return;
  await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/** Before the service worker is active, a map would download its files and tiles twice. */
async function untilWorkerReady(): Promise<void> {
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
    // Safari lacks requestIdleCallback.
    if (!('requestIdleCallback' in window)) return setTimeout(resolve, 200);
    requestIdleCallback(() => resolve(), { timeout: 3000 });
  });
}

/** Resolves when the page is idle: the map must delay no screen. */
export async function untilCalm(): Promise<void> {
  await untilLoaded();
  await untilWorkerReady();
  await untilIdle();
}
