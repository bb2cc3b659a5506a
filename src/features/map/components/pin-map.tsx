/** A pin on a map, set by touch or keyboard; without WebGL or a map nothing is rendered. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { MapRef } from 'react-map-gl/maplibre';
import type { Location } from '#contract/fields.ts';
import { shortLocation } from '#domain/location.ts';
import { type LoadedMap, loadMap } from '#features/map/load-map.ts';
import { places as words } from '#messages/en/places.ts';
import type { PinKind } from '#state/map.ts';
import layout from '#ui/stack.module.css';
import css from './background-map.module.css';

/** About 0.1 m: more digits would be noise on the wire. */
const places = 6;

const round = (degrees: number) => Number(degrees.toFixed(places));

/** Normalised to valid degrees and rounded to the stored precision. */
export function tidy({ lat, lng }: Location): Location {
  const turned = ((((lng + 180) % 360) + 360) % 360) - 180;
  return { lat: round(Math.max(-90, Math.min(90, lat))), lng: round(turned) };
}

const directions: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** Distance in px a key moves the pin: 24, with Shift 3; null for other keys. */
export function movedBy(key: string, isFine: boolean): { x: number; y: number } | null {
  const direction = directions[key];
  const stepPx = isFine ? 3 : 24;
  return direction ? { x: direction.x * stepPx, y: direction.y * stepPx } : null;
}

export interface PinMapProps {
  label: string;
  kind: PinKind;
  value: Location | null;
  onChange(value: Location): void;
  /** Initial centre without a pin, such as the package's other location. */
  near: Location;
}

type Stage = 'loading' | 'none' | LoadedMap;

function useStage() {
  const [stage, setStage] = useState<Stage>('loading');
  useEffect(() => {
    let isCurrent = true;
    loadMap()
      .catch(() => null)
      .then((map) => isCurrent && setStage(map ?? 'none'));
    return () => {
      isCurrent = false;
    };
  }, []);
  return { stage, giveUp: () => setStage('none') };
}

export function PinMap({ label, kind, value, onChange, near }: PinMapProps) {
  const { stage, giveUp } = useStage();
  const map = useRef<MapRef>(null);
  const set = (location: Location) => onChange(tidy(location));
  // A typed or located position may be outside the visible part.
  const { lat, lng } = value ?? {};
  useEffect(() => {
    if (lat === undefined || lng === undefined) return;
    if (!map.current?.getBounds().contains([lng, lat])) map.current?.jumpTo({ center: [lng, lat] });
  }, [lat, lng]);
  const move = (event: KeyboardEvent) => {
    const glMap = map.current;
    // Ignores keys on the controls above the map.
    if (!glMap || event.target !== glMap.getCanvas()) return;
    const step = movedBy(event.key, event.shiftKey);
    if (!step) return;
    event.preventDefault();
    const from = value ?? glMap.getCenter();
    const point = glMap.project([from.lng, from.lat]);
    set(glMap.unproject([point.x + step.x, point.y + step.y]));
  };
  if (stage === 'none') return null;
  const said = value ? words.map.at(shortLocation(value)) : words.map.hint;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the map's canvas, which has a role and a name.
    <div onKeyDown={move}>
      <div className={css.picker} data-testid="picker-map">
        {stage !== 'loading' && (
          <stage.KayaMap
            config={stage.config}
            label={words.map.label(label)}
            start={value ?? near}
            hasKeyboard={false}
            pin={value && { location: value, kind, name: said, onDrag: set }}
            onTap={set}
            onFail={giveUp}
            onReady={(ready) => {
              map.current = ready;
            }}
          />
        )}
      </div>
      <p role="status" className={layout.soft}>
        {said}
      </p>
    </div>
  );
}
