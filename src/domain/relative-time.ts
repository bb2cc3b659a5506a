import { once } from './format-date.ts';

const words = once(() => new Intl.RelativeTimeFormat('en-NG', { numeric: 'auto' }));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Nigeria's zone (see format-date): a day starts at midnight there. */
const zoneOffsetMs = hourMs;

const dayOf = (ms: number) => Math.floor((ms + zoneOffsetMs) / dayMs);

/**
 * ISO 8601 → 'in 3 hours'; null if unreadable or over a month away. Within six hours it counts
 * minutes and hours, then midnights: nine tomorrow morning is 'tomorrow', not 'in 14 hours'.
 */
export function relativeTime(iso: string | null, nowMs: number): string | null {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return null;
  const distanceMs = ms - nowMs;
  const days = dayOf(ms) - dayOf(nowMs);
  if (Math.abs(distanceMs) < hourMs) {
    const minutes = Math.round(distanceMs / minuteMs);
    return minutes === 0 ? 'now' : words().format(minutes, 'minute');
  }
  if (Math.abs(distanceMs) < 6 * hourMs || days === 0) {
    return words().format(Math.round(distanceMs / hourMs), 'hour');
  }
  if (Math.abs(days) < 7) return words().format(days, 'day');
  return Math.abs(days) <= 31 ? words().format(Math.round(days / 7), 'week') : null;
}
