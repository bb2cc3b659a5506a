/** Picking a place for a package: on the map where there is one, or by its degrees. */
import { useState } from 'react';
import type { LocationPickerProps } from '#live/location-picker.ts';
import { PanelDialog } from '#ui/panel-dialog.tsx';
import type { MapLibrary } from './background-map.tsx';
import { LocationFields, locationOf, typedOf } from './location-fields.tsx';
import { PinMap } from './pin-map.tsx';

interface LocationPickerWithMapProps extends LocationPickerProps {
  /** Fetches the map's own chunk. */
  load(): Promise<MapLibrary>;
}

/** Nothing is picked before it is confirmed, however it was placed. */
export function LocationPicker(props: LocationPickerWithMapProps) {
  const { label, kind, value, near, onPick, onClear, onClose, load } = props;
  const [typed, setTyped] = useState(() => typedOf(value));
  return (
    <PanelDialog title={label} onClose={onClose}>
      <PinMap
        label={label}
        kind={kind}
        value={locationOf(typed)}
        onChange={(location) => setTyped(typedOf(location))}
        near={near}
        load={load}
      />
      <LocationFields
        typed={typed}
        onType={setTyped}
        onPick={onPick}
        onClear={value ? onClear : undefined}
        onClose={onClose}
      />
    </PanelDialog>
  );
}
