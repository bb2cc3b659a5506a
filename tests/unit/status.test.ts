import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryStatuses, parseStatus, statusLabel } from '#domain/status.ts';

describe('parsing a delivery status', () => {
  it.each([
    ['in-transit', 'in-transit'],
    ['In Transit', 'in-transit'],
    ['IN TRANSIT', 'in-transit'],
    ['in_transit', 'in-transit'],
    ['InTransit', 'in-transit'],
    ['Pending', 'pending'],
    ['delivered', 'delivered'],
    ['Cancelled', 'cancelled'],
    ['canceled', 'cancelled'],
  ] as const)('%s is %s', (text, status) => {
    expect(parseStatus(text)).toBe(status);
  });

  it.each([undefined, null, '', '  '])('%j is pending', (text) => {
    expect(parseStatus(text)).toBe('pending');
  });

  it('returns null for an unknown status', () => {
    expect(parseStatus('lost')).toBeNull();
    expect(parseStatus('toString')).toBeNull();
    expect(parseStatus('__proto__')).toBeNull();
  });

  it('never throws, and parses every label', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseStatus(text)));
    for (const status of deliveryStatuses) expect(parseStatus(statusLabel(status))).toBe(status);
  });
});
