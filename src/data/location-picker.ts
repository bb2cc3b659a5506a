/** Provides the picker by context, so that package forms need not import the map. */
import { type ComponentType, createContext, useContext } from 'react';
import type { Location } from '#contract/fields.ts';

export interface RecentPlace {
  label: string;
  location: Location;
}

export interface LocationPickerProps {
  /** Title: 'Exact Pickup Place'. */
  label: string;
  kind: 'pickup' | 'delivery';
  value: Location | null;
  /** Initial map centre while `value` is null. */
  near: Location;
  /** To choose from, by address. */
  recent: readonly RecentPlace[];
  /** `address`: of the recent place that was chosen. */
  onPick(location: Location, address?: string): void;
  onClear(): void;
  onClose(): void;
}

export const LocationPickerContext = createContext<ComponentType<LocationPickerProps> | null>(null);

/** Null: not available; hide the button. */
export function useLocationPicker(): ComponentType<LocationPickerProps> | null {
  return useContext(LocationPickerContext);
}
