/** Positions set by hand. Pure. */
import type { Location } from '#contract/fields.ts';

/** About 0.1 m: more digits would be noise on the wire. */
const places = 6;

const round = (degrees: number) => Number(degrees.toFixed(places));

/** Normalised to valid degrees and rounded to the stored precision. */
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

/** Distance in px a key moves the pin: 24, with Shift 3; null for other keys. */
export function movedBy(key: string, isFine: boolean): { x: number; y: number } | null {
  const direction = directions[key];
  const stepPx = isFine ? 3 : 24;
  return direction ? { x: direction.x * stepPx, y: direction.y * stepPx } : null;
}
