import { describe, expect, it } from 'vitest';
import { updatedAt } from '#domain/dates.ts';

describe('when the phone was last brought up to date', () => {
  const now = new Date(2026, 10, 21, 9, 30);

  it('is a time of today, and of another day has its date', () => {
    expect(updatedAt(new Date(2026, 10, 21, 4, 0).toISOString(), now)).toBe('04:00');
    expect(updatedAt(new Date(2026, 10, 18, 4, 0).toISOString(), now)).toBe('18 Nov, 04:00');
    // The same hour of yesterday is not today.
    expect(updatedAt(new Date(2026, 10, 20, 9, 30).toISOString(), now)).toBe('20 Nov, 09:30');
  });
});
