import { LocationPicker } from '#features/map/location-picker.tsx';
import type { LocationPickerProps } from '#live/location-picker.ts';
import { loadMapLibrary } from './background.tsx';

/** The picker with the map's chunk behind it, for features that must not know the map. */
export function PlacePicker(props: LocationPickerProps) {
  return <LocationPicker {...props} load={loadMapLibrary} />;
}
