/** The map with maplibre-gl: 250 kB, so screens load it only through `load-map.ts`. */
import maplibregl, { type MapSourceDataEvent } from 'maplibre-gl';
import { useEffect, useMemo, useRef } from 'react';
import { AttributionControl, Map as GlMap, type MapRef } from 'react-map-gl/maplibre';
import type { Location } from '#contract/fields.ts';
import type { MapConfig } from '#contract/runtime-config.ts';
import {
  isHopeless,
  type TileHealth,
  tooManyFailed,
  useIsDark,
} from '#features/map/map-conditions.ts';
import {
  allowMapLibrary,
  cleanCredits,
  creditOf,
  libraryZoom,
  mapStyleOf,
} from '#features/map/map-style.ts';
import { adoptStyles } from '#ui/adopt-styles.ts';
import css from './kaya-map.module.css';
import {
  DraggedPin,
  type MovablePin,
  OwnPosition,
  PackagePins,
  type PackagePinsProps,
  View,
} from './map-pins.tsx';
import styles from './maplibre.css?inline';

allowMapLibrary();

adoptStyles(styles);

export interface KayaMapProps {
  config: MapConfig;
  label: string;
  /** Initial centre; defaults to the deployment's. */
  start?: Location | null;
  /** The user's own: the map recentres when it changes, unless a package is selected. */
  position?: Location | null;
  packages?: PackagePinsProps | null;
  pin?: MovablePin | null;
  /** False where the arrow keys have another function. */
  hasKeyboard?: boolean;
  /** Called with the first visible tile. */
  onShow?(): void;
  /** Called when nothing is visible or expected: unmount the map. */
  onFail(): void;
  onTap?(position: Location): void;
  onReady?(map: MapRef): void;
}

/** Capped: a cheap phone would draw four times the pixels for little gain. */
const pixelRatio = Math.min(window.devicePixelRatio, 2);

/** The library's error event, whose types declare only `error`. */
interface MapErrorEvent {
  error: Error;
  target?: maplibregl.Map | null;
  sourceId?: string;
  tile?: unknown;
}

/** Counts loaded and failed tiles; calls `onShow` and `onFail`. */
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
    /** Without a listener the library logs each error to the console. */
    onError(event: MapErrorEvent) {
      // Null if the map could not be created.
      const isWhole = !event.target?.getStyle() || (event.sourceId && !event.tile);
      if (isWhole) health.current.failed += tooManyFailed;
      else if (event.tile) health.current.failed += 1;
      if (isHopeless(health.current)) end();
    },
    /** Nothing left to load: missing tiles (404) cause no error event. */
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
  useEffect(() => {
    // The library does not retry tiles that failed offline.
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
        // The service worker manages tile expiry; the library would keep revalidating.
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
          // maplibre rotates by touch even with dragRotate off.
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
        <View position={position} zoom={zoom} packages={packages} />
        {position && <OwnPosition position={position} />}
        {packages && <PackagePins {...packages} />}
        {props.pin && <DraggedPin pin={props.pin} />}
      </GlMap>
    </div>
  );
}
