/** When to offer the installed app: after something was achieved here, and not again soon after a no. */
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

/** Two months: who said no has a reason. */
export const declinedPauseMs = 60 * 24 * 60 * 60 * 1000;

/** Either way round: a clock that was put back does not ask for ever after. */
export function isDeclined(declinedAtMs: number, nowMs: number): boolean {
  return declinedAtMs !== 0 && Math.abs(nowMs - declinedAtMs) < declinedPauseMs;
}
