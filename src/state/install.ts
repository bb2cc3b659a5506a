/** When to offer installation: after a first success, and not soon after a refusal. */
import { atomWithStorage, createJSONStorage } from 'jotai/utils';
import { localWords } from './local-words.ts';

/** The server has confirmed a package created or accepted on this device. */
export const hasAchievedAtom = atomWithStorage<boolean>(
  'installAchieved',
  false,
  createJSONStorage(() => localWords),
  { getOnInit: true },
);

/** Milliseconds since 1970; 0: never declined. */
export const installDeclinedAtAtom = atomWithStorage<number>(
  'installDeclinedAt',
  0,
  createJSONStorage(() => localWords),
  { getOnInit: true },
);

export const declinedPauseMs = 60 * 24 * 60 * 60 * 1000;

/** Absolute, so that a clock set back does not suppress the offer for ever. */
export function isDeclined(declinedAtMs: number, nowMs: number): boolean {
  return declinedAtMs !== 0 && Math.abs(nowMs - declinedAtMs) < declinedPauseMs;
}
