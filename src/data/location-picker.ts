/**
 * The picker of places, handed down by context: it is the map's, and the forms of packages open it
 * without knowing the map.
 */
import { type ComponentType, createContext, useContext } from 'react';
import type { Location } from '#contract/fields.ts';

export interface LocationPickerProps {
  /** What is placed: 'Pickup Pin'. */
  label: string;
  kind: 'pickup' | 'delivery';
  value: Location | null;
  /** Where to begin while there is no value. */
  near: Location;
  onPick(location: Location): void;
  onClear(): void;
  onClose(): void;
}

export const LocationPickerContext = createContext<ComponentType<LocationPickerProps> | null>(null);

/** Null: there is none here, and no button leads to it. */
export function useLocationPicker(): ComponentType<LocationPickerProps> | null {
  return useContext(LocationPickerContext);
}
