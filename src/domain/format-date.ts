/**
 * Dates for readers in Nigeria (en-NG, short month), always in Nigeria's time zone: a date typed in
 * Kano reads the same on a phone in another zone, and the schemas read unzoned text the same way.
 */
const zoneOffsetMs = 60 * 60 * 1000;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * ISO 8601 → '21 Nov 2026, 14:30'; null or unreadable → `missing`. Like Intl.DateTimeFormat, whose
 * creation takes 80 ms on a cheap phone, before the first card appears. Nigeria has no DST.
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

/** Creates the value on first use: an Intl formatter takes a cheap phone about 10 ms. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
