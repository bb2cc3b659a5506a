/** How wrong the phone's clock is, for people. Pure. */

const minuteMs = 60_000;

/** As far as the server trusts what a phone says (server/modules/packages/event-timing.ts). */
const leastMs = 5 * minuteMs;

export interface ClockFault {
  is: 'fast' | 'slow';
  /** '2 hours' */
  amount: string;
}

/** The longest that fits, of all but a minute: a clock set by hand is seldom off by whole ones. */
const units = [
  { unit: 'day', ms: 24 * 60 * minuteMs, parts: 2 },
  { unit: 'hour', ms: 60 * minuteMs, parts: 2 },
  { unit: 'minute', ms: minuteMs, parts: 1 },
] as const;

/** Null: it is right, or not worth a word. */
export function clockFault(offsetMs: number): ClockFault | null {
  const offMs = Math.abs(offsetMs);
  const fitting = units.find(({ ms }) => offMs > ms - minuteMs);
  if (offMs < leastMs || !fitting) return null;
  const words = new Intl.NumberFormat('en-NG', {
    style: 'unit',
    unit: fitting.unit,
    unitDisplay: 'long',
  });
  return {
    is: offsetMs > 0 ? 'fast' : 'slow',
    amount: words.format(Math.round((offMs / fitting.ms) * fitting.parts) / fitting.parts),
  };
}
