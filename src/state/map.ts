/** What screens tell the map behind them, which lives outside the router. */
import { atom } from 'jotai';
import type { Location } from '#contract/fields.ts';

export interface MapMarker {
  /** The package's id. */
  id: string;
  kind: 'pickup' | 'delivery';
  location: Location;
  /** Accessible name and tooltip. */
  label: string;
}

/** The current screen's packages, and what opens a package's card; null: none. */
export const mapMarkersAtom = atom<{
  markers: readonly MapMarker[];
  open(id: string): void;
  /** The package to show among them; null: none. */
  selected: string | null;
} | null>(null);

/** 'visible' behind an overlay that takes input (a menu, a full sheet); 'open' to touch. */
export const mapExposureAtom = atom<'covered' | 'visible' | 'open'>('covered');
