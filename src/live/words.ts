import type { StorageFault } from '#db/failure.ts';
import type { OperationName } from '#domain/operation.ts';
import { NotSavedError } from '#sync/not-saved-error.ts';
import { sending } from '#words/en/sending.ts';
import { inLanguage } from '#words/language.ts';
import type { Sent } from './use-send.ts';

/** What is said of an intent whatever it is about, between being saved and being answered. */
export const sendingWords = inLanguage('sending', sending);

/** What is done by a button; everything else is filled in. */
const withoutForm: ReadonlySet<OperationName> = new Set([
  'acceptPackage',
  'rejectDelivery',
  'deliverPackage',
  'deletePackage',
]);

/** Why an intent of this name is not on this phone. */
export function notSavedSentence(error: unknown, name: OperationName): string {
  const fault = error instanceof NotSavedError ? error.fault : null;
  if (fault === 'outdated') return sendingWords.notSavedFor.outdated;
  const sentence = fault === 'full' ? sendingWords.notSavedFor.full : sendingWords.notSaved;
  return withoutForm.has(name) ? sentence : `${sentence} ${sendingWords.formKept}`;
}

/** That an intent has to wait; `storage`: what is wrong with it. Never 'saved' where it is not. */
export function queuedSentence(
  { because }: Extract<Sent, { kind: 'queued' }>,
  storage: StorageFault | null,
): string {
  return storage === 'none' ? sendingWords.held[because] : sendingWords.queued[because];
}

/** One toast for the way of what was saved: still sending, then sent. */
export const sendingSubject = 'sending';
export const queuedToast = { subject: sendingSubject, durationMs: 3000 };
/** With something to press in it. */
export const undoToast = { subject: sendingSubject, durationMs: 8000 };
