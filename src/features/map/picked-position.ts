/** Positions that people set by hand. Pure. */
import type { Location } from '#contract/fields.ts';

/** About a tenth of a metre: more would be noise that goes over the network. */
const places = 6;

const round = (degrees: number) => Number(degrees.toFixed(places));

/** Into the range of the earth's degrees, at the precision that is kept. */
export function tidy({ lat, lng }: Location): Location {
  const turned = ((((lng + 180) % 360) + 360) % 360) - 180;
  return { lat: round(Math.max(-90, Math.min(90, lat))), lng: round(turned) };
}

const directions: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** How far a key moves the pin, px: 24, or with Shift 3; null for a key that moves nothing. */
export function movedBy(key: string, isFine: boolean): { x: number; y: number } | null {
  const direction = directions[key];
  const stepPx = isFine ? 3 : 24;
  return direction ? { x: direction.x * stepPx, y: direction.y * stepPx } : null;
}
