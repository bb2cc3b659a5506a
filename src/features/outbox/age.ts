import { useEffect, useState } from 'react';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const moment = new Intl.DateTimeFormat('en-NG', { dateStyle: 'medium', timeStyle: 'short' });

/** 'just now', '3 min ago', '5 h ago'; the date beyond a day, and where the clock was put back. */
export function ageOf(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  if (!(ageMs >= 0 && ageMs < dayMs)) return moment.format(new Date(iso));
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
