/** Times and distances as a recipient in Nigeria reads them. Pure. */
import type { Words } from './words.ts';

const timeZone = 'Africa/Lagos';
const hourMs = 60 * 60_000;

/** Since 1970, there: an hour ahead of UTC all year. By Intl, a long timeline takes milliseconds. */
const dayOf = (at: Date) => Math.floor((at.getTime() + hourMs) / (24 * hourMs));

/** Intl's defaults for 'en' are American. */
const localeOf = ({ language }: Words) => (language === 'en' ? 'en-GB' : language);

function formatsOf(locale: string) {
  return {
    time: new Intl.DateTimeFormat(locale, {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    day: new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
    }),
    otherYear: new Intl.DateTimeFormat(locale, {
      timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }),
    ago: new Intl.RelativeTimeFormat(locale, { numeric: 'always' }),
    number: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
  };
}

/** Making one takes as long as rendering the page. */
const known = new Map<string, ReturnType<typeof formatsOf>>();

function formats(words: Words) {
  const locale = localeOf(words);
  const found = known.get(locale) ?? formatsOf(locale);
  known.set(locale, found);
  return found;
}

/** '14:05' */
export const clockText = (words: Words, at: Date): string => formats(words).time.format(at);

/** There, as for `dayOf`. */
const yearOf = (at: Date) => new Date(at.getTime() + hourMs).getUTCFullYear();

/** 'Today 14:05', 'Tue 24 Nov 14:05', '24 Nov 2025 14:05' */
export function timeText(words: Words, iso: string, now: Date): string {
  const at = new Date(iso);
  const names = new Map([
    [-1, words.yesterday],
    [0, words.today],
    [1, words.tomorrow],
  ]);
  const days = dayOf(at) - dayOf(now);
  const { day, otherYear } = formats(words);
  const format = yearOf(at) === yearOf(now) ? day : otherYear;
  const name = names.get(days) ?? format.format(at).replace(',', '');
  return `${name} ${clockText(words, at)}`;
}

/** '2 minutes ago' */
export function ageText(words: Words, iso: string, now: Date): string {
  const minutes = Math.max(0, Math.round((now.getTime() - Date.parse(iso)) / 60_000));
  return minutes === 0 ? words.justNow : formats(words).ago.format(-minutes, 'minute');
}

/** '1.2 km', '300 m': to 100 m, as the position is. */
export function distanceText(words: Words, meters: number): string {
  const { number } = formats(words);
  if (meters >= 950) return `${number.format(Math.round(meters / 100) / 10)}\u00a0km`;
  return `${number.format(Math.max(100, Math.round(meters / 100) * 100))}\u00a0m`;
}
