/** Screens' state for the map behind them, which lives outside the router. */
import { atom } from 'jotai';
import type { Location } from '#contract/fields.ts';
import { storedFlag } from './safe-storage.ts';

export type PinKind = 'pickup' | 'delivery';

export interface MapMarker {
  /** The package's id, or the courier's. */
  id: string;
  kind: PinKind | 'courier';
  location: Location;
  /** Accessible name and tooltip. */
  label: string;
  name?: string;
}

/** The current screen's packages and couriers, with the handler that opens one; null: none. */
export const mapMarkersAtom = atom<{
  markers: readonly MapMarker[];
  open(marker: MapMarker): void;
  /** The package to show among them; null: none. */
  selected: string | null;
} | null>(null);

const mapFlag = storedFlag('mapShown');
const isMapThereAtom = atom(mapFlag.isSet());

/** Whether there is a map to make room for; until one has loaded or failed, as it was the last time. */
export const hasMapAtom = atom(
  (get) => get(isMapThereAtom),
  (_, set, hasMap: boolean) => {
    if (hasMap) mapFlag.set();
    else mapFlag.clear();
    set(isMapThereAtom, hasMap);
  },
);

/** The element of a screen that holds the map instead of the background; null: none does. */
export const mapSlotAtom = atom<HTMLElement | null>(null);

/** 'visible' behind an overlay that takes input (a menu, a full sheet); 'open' to touch. */
export const mapExposureAtom = atom<'covered' | 'visible' | 'open'>('covered');
