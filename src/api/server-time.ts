/**
 * The server's time, since a phone's clock may be wrong. The offset comes from each response's Date
 * and is used until the next one, also offline and after a restart (app/session).
 *
 * Recorded steps keep the phone's own time, which the server corrects (decision 0077).
 */

/** Tolerance for the Date header, which counts seconds, and for a busy server. */
const slackMs = 2_000;
/** Setting a clock right by hand is not exact. */
const rightMs = 60_000;

/** By how much the phone's clock is fast; negative: slow. */
let offsetMs = 0;
const listeners = new Set<() => void>();

function setOffset(ms: number): void {
  if (ms === offsetMs) return;
  offsetMs = ms;
  for (const listener of listeners) listener();
}

const readLead = () => Date.now() - performance.now();
let leadMs = readLead();

/**
 * A clock that is set leaps against one that only runs on. A leap forward may as well be the sleep of
 * the phone, in which the other stood still, unless it sets the clock right.
 */
function noteLeap(): void {
  const leapMs = readLead() - leadMs;
  if (Math.abs(leapMs) < slackMs) return;
  leadMs += leapMs;
  const ms = offsetMs + leapMs;
  if (Math.abs(ms) < rightMs && offsetMs !== 0) setOffset(0);
  else if (leapMs < 0) setOffset(ms);
}

/** Milliseconds since 1970, for whatever is shown or decided by time. */
export function serverNow(): number {
  noteLeap();
  return Date.now() - offsetMs;
}

/** ISO 8601. */
export const serverNowIso = () => new Date(serverNow()).toISOString();

/** ISO 8601 by the phone's clock → by the server's. */
export function fromPhoneTime(iso: string): string {
  return offsetMs === 0 ? iso : new Date(Date.parse(iso) - offsetMs).toISOString();
}

export const clockOffsetMs = () => offsetMs;

/**
 * The Date of an answer of the server, `tookMs` after it was asked. The least correction that it
 * bears out: of a clock that is right, none.
 */
export function hearServerTime(date: string, tookMs: number): void {
  const serverMs = Date.parse(date);
  if (Number.isNaN(serverMs)) return;
  noteLeap();
  const mostMs = Date.now() - serverMs + slackMs;
  const leastMs = mostMs - tookMs - 1_000 - 2 * slackMs;
  setOffset(Math.min(Math.max(offsetMs, leastMs), mostMs));
}

/** 100 years: an empty battery sets a clock back to 1970, but no clock is further off. */
const mostOffsetMs = 36_525 * 86_400_000;

/** Restores the offset of an earlier start; what cannot be one counts as 0. */
export function restoreClockOffset(ms: number): void {
  leadMs = readLead();
  setOffset(Math.abs(ms) <= mostOffsetMs ? ms : 0);
}

export function subscribeToClockOffset(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
