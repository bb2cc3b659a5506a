/** When a step happened, as a phone says whose clock may be wrong. Pure. */

/** Beyond these, a phone's time is shown as uncertain. */
const clockOffMs = 5 * 60_000;
export const waitedMs = 6 * 60 * 60_000;

export interface Timing {
  effectiveAt: Date;
  timeTrust: 'high' | 'low';
}

/**
 * When a recorded event happened by the server's clock: the phone's clock is corrected by how far it
 * was off when it sent. Never later than received, never before `notBefore`.
 */
export function timingOf(
  { occurredAt, sentAt, receivedAt }: { occurredAt: Date; sentAt: Date; receivedAt: Date },
  notBefore: Date,
): Timing {
  const offMs = receivedAt.getTime() - sentAt.getTime();
  const happenedMs = occurredAt.getTime() + offMs;
  const effectiveMs = Math.min(Math.max(happenedMs, notBefore.getTime()), receivedAt.getTime());
  const waited = receivedAt.getTime() - happenedMs;
  // Before the event that it follows: the clock was set in between.
  const isBackwards = notBefore.getTime() - happenedMs > clockOffMs;
  const isPlausible = waited >= 0 && waited <= waitedMs && !isBackwards;
  const isSure = Math.abs(offMs) <= clockOffMs && isPlausible;
  return { effectiveAt: new Date(effectiveMs), timeTrust: isSure ? 'high' : 'low' };
}
