import { useEffect, useState } from 'react';
import { once } from '#domain/once.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const moment = once(
  () => new Intl.DateTimeFormat('en-NG', { dateStyle: 'medium', timeStyle: 'short' }),
);

/** '22 Nov 2026, 10:47', where the phone is. ISO 8601. */
export const momentOf = (iso: string): string => moment().format(new Date(iso));

/** 'just now', '3 min ago', '5 h ago'; the date beyond a day, and where the clock was put back. */
export function ageOf(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  if (!(ageMs >= 0 && ageMs < dayMs)) return momentOf(iso);
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`;
  return `${Math.floor(ageMs / hourMs)} h ago`;
}

/** The time, again every half minute. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), minuteMs / 2);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
