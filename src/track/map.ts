/** The courier's approximate place on a map. */
import maplibregl from 'maplibre-gl';
import styles from 'maplibre-gl/dist/maplibre-gl.css?inline';
import type { RuntimeConfig } from '#contract/runtime-config.ts';
import {
  allowMapLibrary,
  cleanCredits,
  creditOf,
  libraryZoom,
  mapStyleOf,
} from '#features/map/map-style.ts';
import type { Place } from './page.ts';
import type { Words } from './words.ts';

/** Precision of the server's rounded places (domain/position). */
const radiusMeters = 100;
/** About 1 km across a phone, for 256 px tiles. */
const zoom = 15;
const limitMs = 20_000;
const metersPerDegree = 111_320;
/** As the page's own colours (server/http/page.ts). */
const colours = { light: '#2e2f86', dark: '#bdbcff' };

export interface PlaceMap {
  move(place: Place): void;
  remove(): void;
}

interface Needs {
  host: HTMLElement;
  place: Place;
  words: Words;
  /** Called with the text to show instead. */
  onFail(text: string): void;
}

/** A circle in degrees. */
function circleAround({ lat, lng }: Place) {
  const corners = Array.from({ length: 49 }, (_, corner) => {
    const angle = (corner / 48) * 2 * Math.PI;
    const north = (radiusMeters * Math.sin(angle)) / metersPerDegree;
    const east = (radiusMeters * Math.cos(angle)) / metersPerDegree;
    return [lng + east / Math.cos((lat * Math.PI) / 180), lat + north];
  });
  const geometry = { type: 'Polygon' as const, coordinates: [corners] };
  return { type: 'Feature' as const, properties: {}, geometry };
}

/** Trusts its shape: the same server has just sent this script. */
async function readConfig() {
  const answer = await fetch('/config.json', { signal: AbortSignal.timeout(limitMs) });
  if (!answer.ok) throw new Error('/config.json is missing.');
  const { map } = (await answer.json()) as RuntimeConfig;
  return map;
}

let isStyled = false;

/** Text in this file, because a page's policy knows styles by hash. */
function adoptStyles(): void {
  if (isStyled) return;
  isStyled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}

/** Resolves with the loaded map; null: `onFail` got the reason. Rejects without a network. */
export async function openMap({ host, place, words, onFail }: Needs): Promise<PlaceMap | null> {
  const config = await readConfig();
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const style = mapStyleOf(config, scheme === 'dark');
  if (style === null) {
    onFail(words.mapMissing);
    return null;
  }
  allowMapLibrary();
  adoptStyles();
  let current = place;
  const map = new maplibregl.Map({
    container: host,
    style,
    center: [place.lng, place.lat],
    zoom: libraryZoom(zoom),
    minZoom: 2,
    maxZoom: libraryZoom(config.tiles.maxZoom),
    maxPitch: 0,
    dragRotate: false,
    touchPitch: false,
    // One finger scrolls the page past the map.
    cooperativeGestures: true,
    fadeDuration: 0,
    pixelRatio: Math.min(devicePixelRatio, 2),
    attributionControl: { compact: false, customAttribution: creditOf(config.tiles.attribution) },
    locale: { 'Map.Title': words.mapName },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.on('styledata', () => cleanCredits(map));
  // Some missing tiles leave the circle; without any it would lie on an empty box.
  let hasTiles = false;
  const endIfEmpty = () => {
    if (!hasTiles) onFail(words.mapFailed);
  };
  const limit = setTimeout(endIfEmpty, limitMs);
  map.on('sourcedata', ({ sourceDataType, tile, source }) => {
    if (sourceDataType === 'metadata') cleanCredits(map);
    if (tile?.state === 'loaded' && source.type !== 'geojson') hasTiles = true;
  });
  map.on('idle', endIfEmpty);
  // With a listener the library does not log.
  map.on('error', () => {
    if (!map.getStyle()) endIfEmpty();
  });
  map.on('load', () => {
    map.addSource('place', { type: 'geojson', data: circleAround(current), tolerance: 0 });
    const paint = { 'fill-color': colours[scheme], 'fill-opacity': 0.25 };
    map.addLayer({ id: 'place', type: 'fill', source: 'place', paint });
    const line = { 'line-color': colours[scheme], 'line-width': 3 };
    map.addLayer({ id: 'place-edge', type: 'line', source: 'place', paint: line });
  });
  return {
    move(next) {
      if (next.lat === current.lat && next.lng === current.lng) return;
      current = next;
      map.getSource<maplibregl.GeoJSONSource>('place')?.setData(circleAround(next));
      map.panTo([next.lng, next.lat]);
    },
    remove() {
      clearTimeout(limit);
      map.remove();
    },
  };
}
