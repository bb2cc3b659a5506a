import { describe, expect, it } from 'vitest';
import { updatedAt } from '#domain/dates.ts';

describe('the last update', () => {
  const now = new Date(2026, 10, 21, 9, 30);

  it('shows a time today, and a date otherwise', () => {
    expect(updatedAt(new Date(2026, 10, 21, 4, 0).toISOString(), now)).toBe('04:00');
    expect(updatedAt(new Date(2026, 10, 18, 4, 0).toISOString(), now)).toBe('18 Nov, 04:00');
    // The same hour yesterday is not today.
    expect(updatedAt(new Date(2026, 10, 20, 9, 30).toISOString(), now)).toBe('20 Nov, 09:30');
  });
});
