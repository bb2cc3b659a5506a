/**
 * The map behind every screen, once it has tiles to show. Without one there is plain ground.
 *
 *   waiting ──visible, idle, supported──▶ loading ──first tile──▶ shown
 *      ▲                                    │ failed
 *      └── online again, or after a pause ──┘
 */
import { useAtomValue, useSetAtom } from 'jotai';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Location } from '#contract/fields.ts';
import { type LoadedMap, loadMap, untilCalm } from '#features/map/load-map.ts';
import { pauseMs } from '#features/map/map-conditions.ts';
import { places as words } from '#messages/en/places.ts';
import { hasMapAtom, mapExposureAtom, mapMarkersAtom, mapSlotAtom } from '#state/map.ts';
import { isPositionGranted, locateAtom, positionAtom } from '#state/position.ts';
import css from './background-map.module.css';

export function BackgroundMap() {
  const exposure = useAtomValue(mapExposureAtom);
  const { map, onShow, onFail } = useMap(exposure !== 'covered');
  return (
    map && (
      <Movable>
        <Layer map={map} isOpen={exposure === 'open'} onShow={onShow} onFail={onFail} />
      </Movable>
    )
  );
}

/** The map moves into a screen's card and back with its tiles: another map would load them again. */
function Movable({ children }: { children: ReactNode }) {
  const slot = useAtomValue(mapSlotAtom);
  const home = useRef<HTMLDivElement>(null);
  const [host] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    (slot ?? home.current)?.append(host);
  }, [slot, host]);
  return (
    <div ref={home} className={css.home}>
      {createPortal(children, host)}
    </div>
  );
}

/** `map` is null until it is visible and loaded, and during the pause after a failure. */
function useMap(isSeen: boolean) {
  const [map, setMap] = useState<LoadedMap | null>(null);
  const [failures, setFailures] = useState(0);
  const [isResting, setResting] = useState(false);
  const setHasMap = useSetAtom(hasMapAtom);
  const onFail = useCallback(() => {
    setMap(null);
    setHasMap(false);
    setFailures((times) => times + 1);
    setResting(true);
  }, [setHasMap]);
  const isWanted = isSeen && !isResting && map === null;
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const begin = async () => {
      await untilCalm();
      const loaded = isCurrent ? await loadMap() : null;
      if (!isCurrent) return;
      setMap(loaded);
      if (loaded === null) setHasMap(false);
    };
    begin().catch(() => isCurrent && onFail());
    return () => {
      isCurrent = false;
    };
  }, [isWanted, onFail, setHasMap]);
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
  const onShow = useCallback(() => {
    setFailures(0);
    setHasMap(true);
  }, [setHasMap]);
  return { map, onFail, onShow };
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
