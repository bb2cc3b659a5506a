/**
 * Dates for readers in Nigeria (en-NG, short month), always in Nigeria's time zone: a date typed in
 * Kano reads the same on a phone in another zone, and the schemas read unzoned text the same way.
 */
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Nigeria has no DST. */
export const zoneOffsetMs = hourMs;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * ISO 8601 → '21 Nov 2026, 14:30'; null or unreadable → `missing`. Like Intl.DateTimeFormat, whose
 * creation takes 80 ms on a cheap phone, before the first card appears.
 */
export function formatDate(iso: string | null, missing: string): string {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return missing;
  const there = new Date(ms + zoneOffsetMs);
  const day = `${there.getUTCDate()} ${months[there.getUTCMonth()]} ${there.getUTCFullYear()}`;
  return `${day}, ${twoDigits(there.getUTCHours())}:${twoDigits(there.getUTCMinutes())}`;
}

/** ISO 8601 → the value of a `datetime-local` input in Nigeria's time; null → ''. */
export function toLocalInput(iso: string | null): string {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? '' : new Date(ms + zoneOffsetMs).toISOString().slice(0, 16);
}

/** The reverse; '' or an invalid date → ''. */
export function fromLocalInput(local: string): string {
  const ms = Date.parse(`${local}Z`);
  return Number.isNaN(ms) ? '' : new Date(ms - zoneOffsetMs).toISOString();
}

/** Creates the value on first use: an Intl formatter takes a cheap phone about 10 ms. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** When the phone was last updated: '04:00' today, '18 Nov, 04:00' on another day. */
export function updatedAt(iso: string, now: Date): string {
  const exact = formatDate(iso, '');
  return isSameDay(iso, now.getTime()) ? exact.slice(-5) : exact.replace(/ \d{4},/, ',');
}

const relativeWords = once(() => new Intl.RelativeTimeFormat('en-NG', { numeric: 'auto' }));

const dayOf = (ms: number) => Math.floor((ms + zoneOffsetMs) / dayMs);

const nearDays = ['Yesterday', 'Today', 'Tomorrow'];

/**
 * ISO 8601 → 'Today 16:00', 'Yesterday 23:05', '18 Nov, 09:00' in this year, with the year in
 * another; null if missing or unreadable.
 */
export function whenText(iso: string | null, nowMs: number): string | null {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return null;
  const exact = formatDate(iso, '');
  const near = nearDays[dayOf(ms) - dayOf(nowMs) + 1];
  if (near) return `${near} ${exact.slice(-5)}`;
  const yearOf = (at: number) => new Date(at + zoneOffsetMs).getUTCFullYear();
  const year = yearOf(ms);
  return year === yearOf(nowMs) ? exact.replace(` ${year},`, ',') : exact;
}

/** Whether it is on this day in Nigeria; false if unreadable. */
export function isSameDay(iso: string, nowMs: number): boolean {
  return dayOf(Date.parse(iso)) === dayOf(nowMs);
}

/** As `whenText`, of today only the time: '14:05'; '' if unreadable. */
export function timeText(iso: string, nowMs: number): string {
  const when = whenText(iso, nowMs) ?? '';
  return isSameDay(iso, nowMs) ? when.slice(-5) : when;
}

/** A stop that is this little behind its time is not called late. */
const graceMs = 15 * minuteMs;

/** False without a time. */
export function isOverdue(iso: string | null, nowMs: number): boolean {
  return iso !== null && nowMs > Date.parse(iso) + graceMs;
}

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
    return minutes === 0 ? 'just now' : relativeWords().format(minutes, 'minute');
  }
  if (Math.abs(distanceMs) < 6 * hourMs || days === 0) {
    return relativeWords().format(Math.round(distanceMs / hourMs), 'hour');
  }
  if (Math.abs(days) < 7) return relativeWords().format(days, 'day');
  return Math.abs(days) <= 31 ? relativeWords().format(Math.round(days / 7), 'week') : null;
}
