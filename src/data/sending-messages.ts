import { NotSavedError, type StorageFault } from '#db/failure.ts';
import { operations } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { sending } from '#messages/en/sending.ts';
import type { Sent } from './use-send.ts';

/** Why an intent of this name is not on this phone. */
export function notSavedSentence(error: unknown, name: OperationName): string {
  const fault = error instanceof NotSavedError ? error.fault : null;
  if (fault === 'outdated') return sending.notSavedFor.outdated;
  const sentence = fault === 'full' ? sending.notSavedFor.full : sending.notSaved;
  return operations[name].input === 'button' ? sentence : `${sentence} ${sending.formKept}`;
}

/** That an intent has to wait; `storage`: what is wrong with it. Never 'saved' where it is not. */
export function queuedSentence(
  { because }: Extract<Sent, { kind: 'queued' }>,
  storage: StorageFault | null,
): string {
  return storage === 'none' ? sending.held[because] : sending.queued[because];
}

/** One toast for the way of what was saved: still sending, then sent. */
export const sendingSubject = 'sending';
export const queuedToast = { subject: sendingSubject, durationMs: 3000 };
/** With something to press in it. */
export const undoToast = { subject: sendingSubject, durationMs: 8000 };
