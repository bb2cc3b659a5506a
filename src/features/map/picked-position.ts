/** Positions that people set by hand: pure, so that they can be tried out. */
import type { Location } from '#contract/fields.ts';

/** About a tenth of a metre: more would be noise that goes over the network. */
const places = 6;

const round = (degrees: number) => Number(degrees.toFixed(places));

/** Into the range of the earth's degrees, at the precision that is kept. */
export function tidy({ lat, lng }: Location): Location {
  const turned = ((((lng + 180) % 360) + 360) % 360) - 180;
  return { lat: round(Math.max(-90, Math.min(90, lat))), lng: round(turned) };
}

/** How far an arrow key moves the pin, px; with Shift, to the pixel's neighbourhood. */
const stepPx = 24;
const finePx = 3;

/** Null where the key moves nothing. */
export function movedBy(key: string, isFine: boolean): { x: number; y: number } | null {
  const step = isFine ? finePx : stepPx;
  switch (key) {
    case 'ArrowUp':
      return { x: 0, y: -step };
    case 'ArrowDown':
      return { x: 0, y: step };
    case 'ArrowLeft':
      return { x: -step, y: 0 };
    case 'ArrowRight':
      return { x: step, y: 0 };
    default:
      return null;
  }
}
