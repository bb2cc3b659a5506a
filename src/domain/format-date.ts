/**
 * Dates as people in Nigeria read them (SPEC.md section 9: en-NG, short month). One zone for all:
 * what was typed at pickup in Kano reads the same on a phone set to another zone, and unzoned form
 * text means Nigeria's time in the shared schemas too.
 */
const zone = 'Africa/Lagos';
const zoneOffsetMs = 60 * 60 * 1000;

const exact = new Intl.DateTimeFormat('en-NG', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: zone,
});

/** ISO 8601 → '21 Nov 2026, 14:30'; null or unreadable → `missing`. */
export function formatDate(iso: string | null, missing: string): string {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? missing : exact.format(ms);
}

/** ISO 8601 → the text of a `datetime-local` control in Nigeria's time; null → ''. */
export function toLocalInput(iso: string | null): string {
  const ms = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? '' : new Date(ms + zoneOffsetMs).toISOString().slice(0, 16);
}
