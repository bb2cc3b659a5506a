/**
 * The map itself, with maplibre-gl inside: a quarter of a megabyte that only `load` props fetch, when
 * the screens have what they need.
 */
import maplibregl, { type MapSourceDataEvent } from 'maplibre-gl';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { AttributionControl, Map as GlMap, type MapRef } from 'react-map-gl/maplibre';
import type { Location } from '#contract/fields.ts';
import type { MapConfig } from '#contract/runtime-config.ts';
import {
  isHopeless,
  type TileHealth,
  tooManyFailed,
  useIsDark,
} from '#features/map/map-conditions.ts';
import { creditOf, libraryZoom, mapStyleOf, safeCredit } from '#features/map/map-style.ts';
import { createPolicy } from '#ui/trusted-types.ts';
import css from './kaya-map.module.css';
import {
  DraggedPin,
  type MovablePin,
  OwnPosition,
  PackagePins,
  type PackagePinsProps,
} from './map-pins.tsx';

/**
 * What maplibre-gl may write and start, which it does with plain text: credits are cleaned, and of
 * scripts it starts only the worker that it carries within itself.
 */
createPolicy('default', {
  createHTML: safeCredit,
  createScriptURL: (url) => (url.startsWith(`blob:${window.location.origin}/`) ? url : null),
});

export interface KayaMapProps {
  config: MapConfig;
  /** Said of the map to those who do not see it. */
  label: string;
  /** What it opens at; the deployment's centre where it is not said. */
  start?: Location | null;
  /** The person's own: the map recentres on it whenever it changes. */
  position?: Location | null;
  /** Where packages are, and what opens one. */
  packages?: PackagePinsProps | null;
  /** One that can be dragged. */
  pin?: MovablePin | null;
  /** Off where the arrow keys have another meaning. */
  hasKeyboard?: boolean;
  /** The first tile is on the screen. */
  onShow?(): void;
  /** Nothing is to be seen and nothing to be expected: it is to be taken away. */
  onFail(): void;
  onTap?(position: Location): void;
  onReady?(map: MapRef): void;
  /** Layers and markers of react-map-gl, inside the map. */
  children?: ReactNode;
}

/** A cheap phone draws four times the pixels for hardly anything to see. */
const pixelRatio = Math.min(window.devicePixelRatio, 2);

/** Before the library's control writes them into the page. It hears of the same events after us. */
function cleanCredits(map: maplibregl.Map) {
  for (const id of Object.keys(map.getStyle()?.sources ?? {})) {
    const source = map.getSource(id);
    if (source?.attribution) source.attribution = safeCredit(source.attribution);
  }
}

/** What the library tells of an error, of which its types show the error alone. */
interface MapErrorEvent {
  error: Error;
  target?: maplibregl.Map | null;
  sourceId?: string;
  tile?: unknown;
}

/** Keeps count of what came and what did not; tells `onShow` and `onFail`. */
function useTileHealth({ onShow, onFail }: Pick<KayaMapProps, 'onShow' | 'onFail'>) {
  const health = useRef<TileHealth>({ shown: 0, failed: 0 });
  const isOver = useRef(false);
  const end = () => {
    if (!isOver.current) onFail();
    isOver.current = true;
  };
  return {
    health,
    onSourceData({ dataType, tile, source }: MapSourceDataEvent) {
      if (dataType !== 'source' || !tile || source?.type === 'geojson') return;
      if (tile.state !== 'loaded') return;
      health.current.shown += 1;
      if (health.current.shown === 1) onShow?.();
    },
    /** Without a listener the library writes each of these to the console. */
    onError(event: MapErrorEvent) {
      // Null where the map itself could not be made.
      const isWhole = !event.target?.getStyle() || (event.sourceId && !event.tile);
      if (isWhole) health.current.failed += tooManyFailed;
      else if (event.tile) health.current.failed += 1;
      if (isHopeless(health.current)) end();
    },
    /** All has been asked for, and nothing is under way: tiles that are missing (404) say nothing else. */
    onIdle() {
      if (health.current.shown === 0) end();
    },
  };
}

export function KayaMap(props: KayaMapProps) {
  const { config, label, start = null, position = null, packages = null, onTap, onReady } = props;
  const isDark = useIsDark();
  const style = useMemo(() => mapStyleOf(config, isDark), [config, isDark]);
  const map = useRef<MapRef>(null);
  const { health, onSourceData, onError, onIdle } = useTileHealth(props);
  const centre = position ?? start ?? config.centre;
  const zoom = libraryZoom(config.zoom);
  const { lat, lng } = position ?? {};
  useEffect(() => {
    // Not flown to: what lies between would be fetched for a second's look.
    if (lat !== undefined && lng !== undefined) {
      map.current?.jumpTo({ center: [lng, lat], zoom });
    }
  }, [lat, lng, zoom]);
  useEffect(() => {
    // What could not be had without a network is not asked for again by the library.
    const again = () => {
      if (health.current.failed === 0 || style === null) return;
      health.current.failed = 0;
      map.current?.getMap().setStyle(style, { diff: false });
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [style, health]);
  if (style === null) return null;
  return (
    <div className={css.map} data-filtered={isDark && typeof style === 'string'}>
      <GlMap
        ref={map}
        mapLib={maplibregl}
        mapStyle={style}
        initialViewState={{ latitude: centre.lat, longitude: centre.lng, zoom }}
        minZoom={2}
        maxZoom={libraryZoom(config.tiles.maxZoom)}
        maxPitch={0}
        dragRotate={false}
        touchPitch={false}
        keyboard={props.hasKeyboard ?? true}
        // The service worker decides how long a tile is good; the library would ask over and over.
        refreshExpiredTiles={false}
        fadeDuration={0}
        pixelRatio={pixelRatio}
        attributionControl={false}
        locale={{ 'Map.Title': label }}
        onStyleData={({ target }) => cleanCredits(target)}
        onSourceData={(event) => {
          if (event.sourceDataType === 'metadata') cleanCredits(event.target);
          onSourceData(event);
        }}
        onError={onError}
        onIdle={onIdle}
        onLoad={({ target }) => {
          // maplibre turns with two fingers even where it is told not to drag.
          target.touchZoomRotate.disableRotation();
          target.keyboard.disableRotation();
          if (map.current) onReady?.(map.current);
        }}
        {...(onTap && { onClick: ({ lngLat }) => onTap({ lat: lngLat.lat, lng: lngLat.lng }) })}
      >
        <AttributionControl
          compact={false}
          customAttribution={creditOf(config.tiles.attribution)}
        />
        {packages && <PackagePins {...packages} />}
        {props.pin && <DraggedPin pin={props.pin} />}
        {position && <OwnPosition position={position} />}
        {props.children}
      </GlMap>
    </div>
  );
}
