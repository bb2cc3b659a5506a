/** What lies behind every screen, and what of it is fetched when. */
import { BackgroundMap } from '#features/map/components/background-map.tsx';
import type { MapLibrary } from '#features/map/map-conditions.ts';

/** A chunk of its own, with maplibre-gl inside. */
export const loadMapLibrary = (): Promise<MapLibrary> =>
  import('#features/map/components/kaya-map.tsx');

export function Background() {
  return <BackgroundMap load={loadMapLibrary} />;
}
