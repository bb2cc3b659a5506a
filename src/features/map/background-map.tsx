/**
 * The layer behind every screen (SPEC.md section 2, 'Background map'). The drawing is always there; the
 * map is laid over it once it has something to show.
 *
 *   waiting ──seen, calm, able──▶ loading ──first tile──▶ shown
 *      ▲                             │ nothing comes
 *      └── online, or a pause ── resting
 */
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useState } from 'react';
import { readRuntimeConfig } from '#api/runtime-config.ts';
import type { MapConfig } from '#contract/runtime-config.ts';
import { mapExposureAtom, mapMarkersAtom } from '#state/map.ts';
import { Backdrop } from './backdrop.tsx';
import css from './background-map.module.css';
import { hasWebGl, isSparingData } from './can-show-map.ts';
import type { KayaMap } from './kaya-map.tsx';
import { pauseMs } from './tile-health.ts';
import { untilCalm } from './until-calm.ts';
import { useIsWide } from './use-media.ts';
import { useOwnPosition } from './use-own-position.ts';
import { words } from './words.ts';

export interface MapLibrary {
  KayaMap: typeof KayaMap;
}

interface BackgroundMapProps {
  /** Fetches the map's own chunk. */
  load(): Promise<MapLibrary>;
}

interface Loaded extends MapLibrary {
  config: MapConfig;
}

export function BackgroundMap({ load }: BackgroundMapProps) {
  const exposure = useAtomValue(mapExposureAtom);
  const isWide = useIsWide();
  // Behind an opaque column as wide as the window there is nothing to be seen of it.
  const { map, onShow, onFail } = useMap(load, exposure !== 'covered' || isWide);
  return (
    <>
      <Backdrop />
      {map && <Layer map={map} isOpen={exposure === 'open'} onShow={onShow} onFail={onFail} />}
    </>
  );
}

/** `map` is null until it is seen and there, and while its source is left alone. */
function useMap(load: BackgroundMapProps['load'], isSeen: boolean) {
  const [map, setMap] = useState<Loaded | null>(null);
  const [failures, setFailures] = useState(0);
  const [isResting, setResting] = useState(false);
  const onFail = useCallback(() => {
    setMap(null);
    setFailures((times) => times + 1);
    setResting(true);
  }, []);
  const isWanted = isSeen && !isResting && map === null;
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const begin = async () => {
      await untilCalm();
      if (!isCurrent || isSparingData() || !hasWebGl()) return;
      const config = (await readRuntimeConfig())?.map;
      if (!config) throw new Error('There is no /config.json.');
      const hasSource = config.style !== null || config.tiles.url !== null;
      if (!isCurrent || !hasSource) return;
      const { KayaMap } = await load();
      if (isCurrent) setMap({ KayaMap, config });
    };
    begin().catch(() => isCurrent && onFail());
    return () => {
      isCurrent = false;
    };
  }, [isWanted, load, onFail]);
  useEffect(() => {
    if (!isResting) return;
    const again = () => setResting(false);
    const timer = setTimeout(again, pauseMs(failures));
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [isResting, failures]);
  return { map, onFail, onShow: useCallback(() => setFailures(0), []) };
}

interface LayerProps {
  map: Loaded;
  isOpen: boolean;
  onShow(): void;
  onFail(): void;
}

function Layer({ map: { KayaMap, config }, isOpen, onShow, onFail }: LayerProps) {
  const [isShown, setShown] = useState(false);
  const packages = useAtomValue(mapMarkersAtom);
  const position = useOwnPosition({ isOfUse: isShown, mayAsk: isOpen });
  return (
    <div
      className={css.layer}
      data-testid="map"
      data-shown={isShown}
      data-open={isOpen && isShown}
      inert={!isOpen || !isShown}
    >
      <KayaMap
        config={config}
        label={words.label}
        position={position}
        packages={packages}
        onShow={() => {
          setShown(true);
          onShow();
        }}
        onFail={onFail}
      />
    </div>
  );
}
