import { type ComponentProps, useEffect, useRef } from 'react';
import { Marker, type MarkerInstance } from 'react-map-gl/maplibre';

interface PlaceMarkerProps extends ComponentProps<typeof Marker> {
  /** Said in place of its contents; where it is not given, they speak for themselves. */
  name?: string;
}

/** The library calls every marker a button named 'Map marker', which none of them is. */
export function PlaceMarker({ name, ...props }: PlaceMarkerProps) {
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
