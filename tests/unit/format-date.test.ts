import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate, toLocalInput } from '#domain/dates.ts';

describe('a date', () => {
  it("is formatted as by Intl for Nigeria, regardless of the phone's time zone", () => {
    const written = new Intl.DateTimeFormat('en-NG', {
      ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
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

  it.each([null, '', 'soon'])('that is %j shows the placeholder', (iso) => {
    expect(formatDate(iso, 'Not specified')).toBe('Not specified');
    expect(toLocalInput(iso)).toBe('');
  });
});
