/** No text message wakes anyone: from 21:00 to 07:00 in Nigeria none is sent. */
import { zoneOffsetMs } from '#domain/dates.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const fromHour = 21;
const toHour = 7;

/** `at` itself, or else when the quiet hours that it is in end. */
export function outsideQuietHours(at: Date): Date {
  const there = at.getTime() + zoneOffsetMs;
  const dayStart = Math.floor(there / dayMs) * dayMs;
  const hour = (there - dayStart) / hourMs;
  if (hour >= toHour && hour < fromHour) return at;
  const morning = dayStart + (hour < toHour ? 0 : dayMs) + toHour * hourMs;
  return new Date(morning - zoneOffsetMs);
}
