import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatDate,
  isOverdue,
  isSameDay,
  relativeTime,
  timeText,
  toLocalInput,
  whenText,
} from '#domain/dates.ts';

describe('a date', () => {
  it("is formatted as by Intl for Nigeria, regardless of the phone's time zone", () => {
    const written = new Intl.DateTimeFormat('en-NG', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Africa/Lagos',
    });
    const years = { min: new Date('1925-01-01'), max: new Date('2200-01-01'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(formatDate(date.toISOString(), '')).toBe(written.format(date));
      }),
    );
  });

  it("uses Nigeria's day even if it differs from UTC's", () => {
    expect(formatDate('2026-12-31T23:05:00.000Z', '')).toBe('1 Jan 2027, 00:05');
    expect(toLocalInput('2026-12-31T23:05:00.000Z')).toBe('2027-01-01T00:05');
  });

  it('of today is as good as its time', () => {
    expect(timeText('2026-11-21T16:00:00+09:00', nowMs)).toBe('08:00');
    expect(timeText('2026-11-20T16:00:00+09:00', nowMs)).toBe('Yesterday 08:00');
  });

  it.each([null, '', 'soon'])('that is %j shows the placeholder', (iso) => {
    expect(formatDate(iso, 'Not specified')).toBe('Not specified');
    expect(toLocalInput(iso)).toBe('');
  });
});

/** Nine in the evening in Kano. */
const nowMs = Date.parse('2026-11-21T20:00:00.000Z');

describe('relative time', () => {
  it.each([
    ['2026-11-21T20:00:20.000Z', 'just now'],
    ['2026-11-21T20:25:00.000Z', 'in 25 minutes'],
    ['2026-11-21T19:20:00.000Z', '40 minutes ago'],
    ['2026-11-21T22:45:00.000Z', 'in 3 hours'],
    // Half past midnight: a pickup tonight is not called 'tomorrow'.
    ['2026-11-21T23:30:00.000Z', 'in 4 hours'],
    ['2026-11-21T08:00:00.000Z', '12 hours ago'],
    ['2026-11-22T08:00:00.000Z', 'tomorrow'],
    ['2026-11-20T23:30:00.000Z', '20 hours ago'],
    ['2026-11-20T22:30:00.000Z', 'yesterday'],
    ['2026-11-24T08:00:00.000Z', 'in 3 days'],
    ['2026-11-17T08:00:00.000Z', '4 days ago'],
    ['2026-12-05T08:00:00.000Z', 'in 2 weeks'],
    ['2026-11-14T08:00:00.000Z', 'last week'],
  ])('%s is %s', (iso, words) => {
    expect(relativeTime(iso, nowMs)).toBe(words);
  });

  it('uses the exact time for distant, missing or unreadable dates', () => {
    for (const iso of ['2027-03-01T08:00:00.000Z', '2025-01-01T00:00:00.000Z', null, 'soon', '']) {
      expect(relativeTime(iso, nowMs)).toBeNull();
    }
  });
});

it.each([
  ['2026-11-21T22:59:00.000Z', true],
  ['2026-11-20T23:00:00.000Z', true],
  ['2026-11-21T23:00:00.000Z', false],
  ['2026-11-20T22:59:00.000Z', false],
  ['soon', false],
])('%s is today in Nigeria: %s', (iso, expected) => {
  expect(isSameDay(iso, nowMs)).toBe(expected);
});

describe('a time on a card', () => {
  it.each([
    ['2026-11-21T15:00:00.000Z', 'Today 16:00'],
    // Half past midnight in Kano is tomorrow, though not in UTC; the phone's zone plays no part.
    ['2026-11-21T23:30:00.000Z', 'Tomorrow 00:30'],
    ['2026-11-21T22:59:00.000Z', 'Today 23:59'],
    ['2026-11-20T22:05:00.000Z', 'Yesterday 23:05'],
    ['2026-11-20T23:00:00.000Z', 'Today 00:00'],
    ['2026-11-22T08:00:00.000Z', 'Tomorrow 09:00'],
    ['2026-11-23T08:00:00.000Z', '23 Nov, 09:00'],
    ['2026-11-19T08:00:00.000Z', '19 Nov, 09:00'],
    ['2026-12-31T23:30:00.000Z', '1 Jan 2027, 00:30'],
    ['2025-12-31T22:30:00.000Z', '31 Dec 2025, 23:30'],
    ['2026-11-21T16:00:00+09:00', 'Today 08:00'],
  ])('%s is %s', (iso, text) => {
    expect(whenText(iso, nowMs)).toBe(text);
  });

  it.each([null, '', 'soon'])('that is %j is not said', (iso) => {
    expect(whenText(iso, nowMs)).toBeNull();
    if (iso !== null) expect(timeText(iso, nowMs)).toBe('');
    expect(isOverdue(iso, nowMs)).toBe(false);
  });

  it.each([
    ['2026-11-21T20:10:00.000Z', false],
    ['2026-11-21T19:45:00.000Z', false],
    ['2026-11-21T19:44:59.000Z', true],
    ['2026-11-20T22:05:00.000Z', true],
  ])('%s is overdue only after a quarter of an hour: %s', (iso, expected) => {
    expect(isOverdue(iso, nowMs)).toBe(expected);
  });
});
