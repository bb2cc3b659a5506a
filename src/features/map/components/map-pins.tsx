/** Map content: packages, the user's position and the draggable pin. */
import { type ComponentProps, type FocusEvent, useEffect, useRef, useState } from 'react';
import { Marker, type MarkerInstance, Popup, useMap } from 'react-map-gl/maplibre';
import type { Location } from '#contract/fields.ts';
import { places as words } from '#messages/en/places.ts';
import type { MapMarker, PinKind } from '#state/map.ts';
import css from './kaya-map.module.css';

export interface MovablePin {
  location: Location;
  kind: PinKind;
  name: string;
  onDrag(location: Location): void;
}

/** Offset in px that keeps the popup off the marker. */
const popupOffset: [number, number] = [0, -16];

export interface PackagePinsProps {
  markers: readonly MapMarker[];
  open(marker: MapMarker): void;
  selected: string | null;
}

/** Free margin around the shown places. */
const paddingPx = 72;
/** A single place is not shown closer. */
const closestZoom = 15;

interface ViewProps {
  position: Location | null;
  zoom: number;
  packages: PackagePinsProps | null;
}

/**
 * Moves the map to the selected package's places, else to the user's position once it is known.
 * Without a flight, which would load the tiles in between.
 */
export function View({ position, zoom, packages }: ViewProps): null {
  const { current: map } = useMap();
  const { markers = [], selected = null } = packages ?? {};
  const places = markers.filter(({ id }) => id === selected).map(({ location }) => location);
  const key = JSON.stringify(places);
  const isSelected = places.length > 0;
  /** The view to restore after a selection; null: nothing is selected. */
  const rest = useRef<{ center: Location; zoom: number } | null>(null);
  const { lat, lng } = position ?? {};
  useEffect(() => {
    if (lat === undefined || lng === undefined) return;
    const view = { center: { lat, lng }, zoom };
    if (rest.current) rest.current = view;
    else map?.jumpTo(view);
  }, [map, lat, lng, zoom]);
  useEffect(() => {
    const all: Location[] = JSON.parse(key);
    if (!map || all.length === 0) return;
    rest.current ??= { center: map.getCenter(), zoom: map.getZoom() };
    const lats = all.map((place) => place.lat);
    const lngs = all.map((place) => place.lng);
    const show = () => {
      map.fitBounds(
        [
          [Math.min(...lngs), Math.min(...lats)],
          [Math.max(...lngs), Math.max(...lats)],
        ],
        // Both: without `linear` it flies in any case.
        { padding: paddingPx, maxZoom: closestZoom, linear: true, animate: false },
      );
    };
    show();
    // The pane that opens takes its room from the map a moment later.
    map.on('resize', show);
    return () => {
      map.off('resize', show);
    };
  }, [map, key]);
  useEffect(() => {
    if (isSelected || !rest.current) return;
    map?.jumpTo(rest.current);
    rest.current = null;
  }, [map, isSelected]);
  return null;
}

export function PackagePins({ markers, open, selected }: PackagePinsProps) {
  const counts = new Map<string, number>();
  return markers.map((marker) => {
    const place = `${marker.location.lat} ${marker.location.lng}`;
    const before = counts.get(place) ?? 0;
    counts.set(place, before + 1);
    return (
      <MarkerPin
        key={`${marker.id} ${marker.kind}`}
        marker={marker}
        before={before}
        isSelected={marker.id === selected}
        onOpen={() => open(marker)}
      />
    );
  });
}

/** Long enough to read, short enough not to cover the content below. */
const popupMs = 5000;

export function OwnPosition({ position }: { position: Location }) {
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(() => setOpen(false), popupMs);
    return () => clearTimeout(timer);
  }, [isOpen]);
  const at = { latitude: position.lat, longitude: position.lng };
  return (
    <>
      <PlaceMarker
        {...at}
        name={words.map.yourLocation}
        onClick={({ originalEvent }) => {
          // The map would handle it as a tap outside the popup and close it.
          originalEvent.stopPropagation();
          setOpen(true);
        }}
      >
        <span className={css.own} data-testid="own-position" />
      </PlaceMarker>
      {isOpen && (
        <Popup
          {...at}
          anchor="bottom"
          offset={popupOffset}
          closeButton={false}
          focusAfterOpen={false}
          onClose={() => setOpen(false)}
        >
          {words.map.yourLocation}
        </Popup>
      )}
    </>
  );
}

export function DraggedPin({ pin: { location, kind, name, onDrag } }: { pin: MovablePin }) {
  return (
    <PlaceMarker
      name={name}
      latitude={location.lat}
      longitude={location.lng}
      anchor="bottom"
      draggable
      onDragEnd={({ lngLat }) => onDrag({ lat: lngLat.lat, lng: lngLat.lng })}
    >
      <Pin kind={kind} />
    </PlaceMarker>
  );
}

/** Width of a pin in px: pins at the same place are drawn side by side. */
const pinSpacingPx = 26;

interface MarkerPinProps {
  marker: MapMarker;
  /** Number of earlier markers at the same place. */
  before: number;
  isSelected: boolean;
  onOpen(): void;
}

/** A marker as a button with a full touch target; its tip marks the place. */
function MarkerPin({ marker, before, isSelected, onOpen }: MarkerPinProps) {
  const { location, kind, label, name } = marker;
  const { current: map } = useMap();
  const bringIntoView = ({ currentTarget }: FocusEvent) => {
    const isSeen = map?.getBounds().contains(location);
    if (!isSeen && currentTarget.matches(':focus-visible')) map?.jumpTo({ center: location });
  };
  return (
    <PlaceMarker
      latitude={location.lat}
      longitude={location.lng}
      anchor={kind === 'courier' ? 'center' : 'bottom'}
      offset={[before * pinSpacingPx, 0]}
    >
      <button
        type="button"
        className={css.marker}
        aria-label={label}
        title={label}
        aria-current={isSelected || undefined}
        onFocus={bringIntoView}
        onClick={(event) => {
          event.stopPropagation();
          onOpen();
        }}
      >
        {kind === 'courier' ? <span className={css.courier}>{name}</span> : <Pin kind={kind} />}
      </button>
    </PlaceMarker>
  );
}

interface PlaceMarkerProps extends ComponentProps<typeof Marker> {
  /** Accessible name; without it, the contents are read. */
  name?: string;
}

/** Overrides the library's default role (button) and name ('Map marker'). */
function PlaceMarker({ name, ...props }: PlaceMarkerProps) {
  const marker = useRef<MarkerInstance>(null);
  useEffect(() => {
    const element = marker.current?.getElement();
    if (!element) return;
    element.setAttribute('role', name === undefined ? 'presentation' : 'img');
    if (name === undefined) element.removeAttribute('aria-label');
    else element.setAttribute('aria-label', name);
  }, [name]);
  return <Marker ref={marker} {...props} />;
}

/** The tip is the middle of the lower edge; the kinds differ in colour and holes. */
function Pin({ kind }: { kind: PinKind }) {
  return (
    <svg
      className={css.pin}
      data-kind={kind}
      viewBox="0 0 32 40"
      width="32"
      height="40"
      aria-hidden="true"
    >
      <path d="M16 39 C 7 27 2 22 2 15 a 14 14 0 0 1 28 0 C 30 22 25 27 16 39z" />
      {kind === 'pickup' ? (
        <rect x="11" y="10" width="10" height="10" rx="2" />
      ) : (
        <circle cx="16" cy="15" r="5" />
      )}
    </svg>
  );
}
