/** When to offer installation: after a first success, and not soon after a refusal. */
import { storedAtom } from './safe-storage.ts';

/** A package was created or accepted on this device, and the server has confirmed it. */
export const hasAchievedAtom = storedAtom(
  'installAchieved',
  false,
  (stored) => typeof stored === 'boolean',
);

/** Milliseconds since 1970; 0: never declined. */
export const installDeclinedAtAtom = storedAtom(
  'installDeclinedAt',
  0,
  (stored) => typeof stored === 'number',
);

export const declinedPauseMs = 60 * 24 * 60 * 60 * 1000;

/** Absolute, so that a clock set back does not suppress the offer for ever. */
export function isDeclined(declinedAtMs: number, nowMs: number): boolean {
  return declinedAtMs !== 0 && Math.abs(nowMs - declinedAtMs) < declinedPauseMs;
}
