/** What a courier earned, by day of the week in Nigeria. Pure; kobo. */
import type { PaymentEntry } from '#contract/payment.ts';
import { whenText, zoneOffsetMs } from '#domain/dates.ts';
import { nairaToKobo } from '#domain/money.ts';

const dayMs = 86_400_000;

/** Days since 1970 in Nigeria. */
const dayOf = (ms: number) => Math.floor((ms + zoneOffsetMs) / dayMs);

/** The week's Monday; 1 Jan 1970 was a Thursday. */
const mondayOf = (day: number) => day - ((day + 3) % 7);

/**
 * Paid for a delivery or return, or taken back. As a sender, a courier pays from what was held, or
 * less than nothing.
 */
const isEarning = ({ kind, amount, cause }: PaymentEntry) =>
  kind === 'release' && (amount > 0 || cause !== null);

export interface DayEarnings {
  kobo: number;
  when: 'past' | 'today' | 'future';
}

export interface Earnings {
  todayKobo: number;
  weekKobo: number;
  /** From Monday to Sunday. */
  days: readonly DayEarnings[];
}

export function earningsOf(entries: readonly PaymentEntry[], nowMs: number): Earnings {
  const today = dayOf(nowMs);
  const monday = mondayOf(today);
  const sums = Array.from({ length: 7 }, () => 0);
  for (const entry of entries) {
    const place = dayOf(Date.parse(entry.createdAt)) - monday;
    if (isEarning(entry) && place in sums) {
      sums[place] = (sums[place] ?? 0) + nairaToKobo(entry.amount);
    }
  }
  const days = sums.map((kobo, place): DayEarnings => {
    const distance = monday + place - today;
    return { kobo, when: distance === 0 ? 'today' : distance < 0 ? 'past' : 'future' };
  });
  return {
    days,
    todayKobo: sums[today - monday] ?? 0,
    weekKobo: sums.reduce((sum, kobo) => sum + kobo, 0),
  };
}

/** Whether entries, newest first, reach back to the week's beginning. */
export function coverWeek(entries: readonly PaymentEntry[], nowMs: number): boolean {
  const last = entries.at(-1);
  return last !== undefined && dayOf(Date.parse(last.createdAt)) < mondayOf(dayOf(nowMs));
}

export interface HistoryDay {
  day: number;
  /** 'Today', '18 Nov'. */
  title: string;
  earnedKobo: number;
  entries: PaymentEntry[];
}

/** Entries, newest first, under the day they were made on. */
export function byDay(entries: readonly PaymentEntry[], nowMs: number): HistoryDay[] {
  const days: HistoryDay[] = [];
  for (const entry of entries) {
    const day = dayOf(Date.parse(entry.createdAt));
    let found = days.at(-1);
    if (found?.day !== day) {
      const title = (whenText(entry.createdAt, nowMs) ?? '').replace(/,? \d\d:\d\d$/, '');
      found = { day, title, earnedKobo: 0, entries: [] };
      days.push(found);
    }
    found.entries.push(entry);
    if (isEarning(entry)) found.earnedKobo += nairaToKobo(entry.amount);
  }
  return days;
}
