import type { FocusEvent } from 'react';
import { useMap } from 'react-map-gl/maplibre';
import type { MapMarker } from '#state/map.ts';
import css from './kaya-map.module.css';
import { Pin } from './pin.tsx';
import { PlaceMarker } from './place-marker.tsx';

/** A pin's own width, px: several at one place stand side by side. */
const besidePx = 26;

interface MarkerPinProps {
  marker: MapMarker;
  /** How many stand at the same place before it. */
  before: number;
  onOpen(): void;
}

/** A place that can be opened: a button of a thumb's size, whose point stands on the place. */
export function MarkerPin({ marker, before, onOpen }: MarkerPinProps) {
  const { location, kind, label } = marker;
  const { current: map } = useMap();
  const bringIntoView = ({ currentTarget }: FocusEvent) => {
    const isSeen = map?.getBounds().contains(location);
    if (!isSeen && currentTarget.matches(':focus-visible')) map?.jumpTo({ center: location });
  };
  return (
    <PlaceMarker
      latitude={location.lat}
      longitude={location.lng}
      anchor="bottom"
      offset={[before * besidePx, 0]}
    >
      <button
        type="button"
        className={css.marker}
        aria-label={label}
        title={label}
        onFocus={bringIntoView}
        onClick={(event) => {
          event.stopPropagation();
          onOpen();
        }}
      >
        <Pin kind={kind} />
      </button>
    </PlaceMarker>
  );
}
