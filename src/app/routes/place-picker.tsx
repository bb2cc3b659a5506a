import { loadMapLibrary } from '#app/shell/background.tsx';
import type { LocationPickerProps } from '#data/location-picker.ts';
import { LocationPicker } from '#features/map/components/location-picker.tsx';

/** The picker with the map's chunk behind it, for features that must not know the map. */
export function PlacePicker(props: LocationPickerProps) {
  return <LocationPicker {...props} load={loadMapLibrary} />;
}
