/** What the screens tell the map behind them, which stands outside of the router. */
import { atom } from 'jotai';
import type { Location } from '#contract/fields.ts';

export interface MapMarker {
  /** Of the package. */
  id: string;
  kind: 'pickup' | 'delivery';
  location: Location;
  /** What it is called for somebody who does not see it, and when it is pointed at. */
  label: string;
}

/** The packages of the screen that is shown, and what opens one's card; null: none. */
export const mapMarkersAtom = atom<{
  markers: readonly MapMarker[];
  open(id: string): void;
} | null>(null);

/**
 * How much of the map is the person's: 'covered' by an opaque screen, 'visible' behind something that
 * has the fingers (a menu, a full sheet), or 'open' to touch.
 */
export const mapExposureAtom = atom<'covered' | 'visible' | 'open'>('covered');
