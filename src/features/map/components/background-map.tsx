/**
 * The layer behind every screen: a static drawing, covered by the map once that has tiles to show.
 *
 *   waiting ──visible, idle, supported──▶ loading ──first tile──▶ shown
 *      ▲                                    │ failed
 *      └── online again, or after a pause ──┘
 */
import { useAtomValue, useSetAtom } from 'jotai';
import { useCallback, useEffect, useState } from 'react';
import type { Location } from '#contract/fields.ts';
import { type LoadedMap, loadMap, untilCalm } from '#features/map/load-map.ts';
import { pauseMs } from '#features/map/map-conditions.ts';
import { places as words } from '#messages/en/places.ts';
import { mapExposureAtom, mapMarkersAtom } from '#state/map.ts';
import { isPositionGranted, locateAtom, positionAtom } from '#state/position.ts';
import { Backdrop } from './backdrop.tsx';
import css from './background-map.module.css';

export function BackgroundMap() {
  const exposure = useAtomValue(mapExposureAtom);
  const { map, onShow, onFail } = useMap(exposure !== 'covered');
  return (
    <>
      <Backdrop />
      {map && <Layer map={map} isOpen={exposure === 'open'} onShow={onShow} onFail={onFail} />}
    </>
  );
}

/** `map` is null until it is visible and loaded, and during the pause after a failure. */
function useMap(isSeen: boolean) {
  const [map, setMap] = useState<LoadedMap | null>(null);
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
      const loaded = isCurrent ? await loadMap() : null;
      if (isCurrent) setMap(loaded);
    };
    begin().catch(() => isCurrent && onFail());
    return () => {
      isCurrent = false;
    };
  }, [isWanted, onFail]);
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

interface Moment {
  /** A visible map would show it. */
  isOfUse: boolean;
  /** The user is signed in and sees the map: the browser may prompt. */
  mayAsk: boolean;
}

/** Read once per page load; the browser prompts only if `mayAsk`. */
function useOwnPosition({ isOfUse, mayAsk }: Moment): Location | null {
  const position = useAtomValue(positionAtom);
  const locate = useSetAtom(locateAtom);
  const [isDone, setDone] = useState(position !== null);
  const isWanted = isOfUse && !isDone;
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const read = async () => {
      if (!mayAsk && !(await isPositionGranted())) return;
      if (!isCurrent) return;
      setDone(true);
      const { located } = await locate();
      // biome-ignore lint/suspicious/noConsole: the specification fixes this line.
      if (located !== 'located') console.log('Could not retrieve location');
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [isWanted, mayAsk, locate]);
  return position;
}

interface LayerProps {
  map: LoadedMap;
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
        label={words.map.name}
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
