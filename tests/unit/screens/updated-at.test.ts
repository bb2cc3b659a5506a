import { describe, expect, it } from 'vitest';
import { updatedAt } from '#domain/dates.ts';

describe('the last update', () => {
  // The zone of the machine does not matter: these are 09:30 and 00:10 in Nigeria.
  const now = new Date('2026-11-21T08:30:00Z');
  const afterMidnight = new Date('2026-11-20T23:10:00Z');

  it('shows a time today, and a date otherwise', () => {
    expect(updatedAt('2026-11-21T03:00:00Z', now)).toBe('04:00');
    expect(updatedAt('2026-11-18T03:00:00Z', now)).toBe('18 Nov, 04:00');
    // The same hour yesterday is not today.
    expect(updatedAt('2026-11-20T08:30:00Z', now)).toBe('20 Nov, 09:30');
  });

  it('ends the day at midnight in Nigeria', () => {
    expect(updatedAt('2026-11-20T22:55:00Z', afterMidnight)).toBe('20 Nov, 23:55');
    expect(updatedAt('2026-11-20T23:05:00Z', afterMidnight)).toBe('00:05');
  });
});
