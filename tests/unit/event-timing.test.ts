/** When a recorded event happened, by clocks that may be wrong (server/modules/packages/event-timing). */
import { expect, it } from 'vitest';
import { timingOf } from '#server/modules/packages/event-timing.ts';

const receivedAt = new Date('2026-11-24T12:00:00.000Z');
const minutes = (count: number) => new Date(receivedAt.getTime() + count * 60_000);

/** In minutes from now; the package is twelve hours old. */
it.each([
  ['at once', 0, 0, 0, 'high'],
  ['two hours ago', -120, 0, -120, 'high'],
  ['seven hours ago', -420, 0, -420, 'low'],
  ['by a clock 4 minutes slow', -34, -4, -30, 'high'],
  ['by a clock 47 minutes fast', 17, 47, -30, 'low'],
  ['in the future', 30, 0, 0, 'low'],
  ['in 2090, on a phone of 2090', 33_000_000, 33_000_000, 0, 'low'],
  ['before the package', -100_000, 0, -720, 'low'],
] as const)('%s', (_, occurred, sent, effective, timeTrust) => {
  const times = { occurredAt: minutes(occurred), sentAt: minutes(sent), receivedAt };
  expect(timingOf(times, minutes(-720))).toEqual({ effectiveAt: minutes(effective), timeTrust });
});

it.each([
  ['a minute before the last event', -31, 'high'],
  ['an hour before it, by a clock set back in between', -90, 'low'],
] as const)('%s', (_, occurred, timeTrust) => {
  const times = { occurredAt: minutes(occurred), sentAt: minutes(0), receivedAt };
  const effectiveAt = minutes(-30);
  expect(timingOf(times, effectiveAt)).toEqual({ effectiveAt, timeTrust });
});
