/** The provider's page, in whose place in the history nobody lands again by Back. */
import { readPendingPayment } from '#state/payment.ts';
import { safeSessionStorage } from '#state/safe-storage.ts';

const key = 'leftForProvider';
/** Browsers keep no more entries: then the length tells nothing. */
const mostEntries = 50;

/**
 * It takes the place of a copy of this entry: what was ahead is gone with it, so that the length of the
 * history tells the way back.
 */
export function leaveForProvider(url: string, reference: string): void {
  history.pushState(history.state, '');
  safeSessionStorage.setItem(key, JSON.stringify({ reference, length: history.length }));
  window.location.replace(url);
}

/** How many entries back this tab left for it; 0: it is not known. `kept`: what leaving stored. */
export function stepsBack(kept: string | null, reference: string, length: number): number {
  const left = JSON.parse(kept ?? 'null') as { reference: string; length: number } | null;
  if (left?.reference !== reference || length >= mostEntries) return 0;
  return Math.max(0, length - left.length + 1);
}

/** Called as the provider leads back, with the reference in the address. */
export function returnFromProvider(reference: string | null): void {
  // Signing in again may have forgotten it: then only this address knows it.
  if (!reference || readPendingPayment(null)?.reference !== reference) return;
  const steps = stepsBack(safeSessionStorage.getItem(key), reference, history.length);
  safeSessionStorage.removeItem(key);
  if (steps === 0) return;
  safeSessionStorage.setItem(returnedKey, reference);
  history.go(-steps);
}

const returnedKey = 'returnedFromProvider';

/** Nothing is left to do there. */
export const hasReturnedFor = (reference: string) =>
  safeSessionStorage.getItem(returnedKey) === reference;
