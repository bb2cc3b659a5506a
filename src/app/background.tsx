/** What lies behind every screen, and what of it is fetched when. */
import { BackgroundMap, type MapLibrary } from '#features/map/background-map.tsx';
import { loadSpare } from './lost-files.ts';

/** A chunk of its own, with maplibre-gl inside. */
export const loadMapLibrary = (): Promise<MapLibrary> =>
  loadSpare(() => import('#features/map/kaya-map.tsx'));

export function Background() {
  return <BackgroundMap load={loadMapLibrary} />;
}
