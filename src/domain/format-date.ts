/**
 * Dates as people in Nigeria read them (en-NG, short month). One zone for all:
 * what was typed at pickup in Kano reads the same on a phone set to another zone, and unzoned form
 * text means Nigeria's time in the shared schemas too.
 */
const zoneOffsetMs = 60 * 60 * 1000;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * ISO 8601 → '21 Nov 2026, 14:30'; null or unreadable → `missing`. As Intl.DateTimeFormat writes it,
 * which takes a cheap phone eighty milliseconds to begin with: dates are on the first card of the
 * first list. Nigeria's clocks are never put forward or back.
 */
export function formatDate(iso: string | null, missing: string): string {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return missing;
  const there = new Date(ms + zoneOffsetMs);
  const day = `${there.getUTCDate()} ${months[there.getUTCMonth()]} ${there.getUTCFullYear()}`;
  return `${day}, ${twoDigits(there.getUTCHours())}:${twoDigits(there.getUTCMinutes())}`;
}

/** ISO 8601 → the text of a `datetime-local` control in Nigeria's time; null → ''. */
export function toLocalInput(iso: string | null): string {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? '' : new Date(ms + zoneOffsetMs).toISOString().slice(0, 16);
}

/**
 * What `make` makes, made when it is first asked for: a format of Intl costs a cheap phone some ten
 * milliseconds, which a screen that shows no such thing does not wait for.
 */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
