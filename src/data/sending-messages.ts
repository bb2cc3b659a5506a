import { NotSavedError, type StorageFault } from '#db/failure.ts';
import { operations } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { sending } from '#messages/en/sending.ts';
import type { Sent } from './use-send.ts';

export function notSavedSentence(error: unknown, name: OperationName): string {
  const fault = error instanceof NotSavedError ? error.fault : null;
  if (fault === 'outdated') return sending.notSavedFor.outdated;
  const sentence = fault === 'full' ? sending.notSavedFor.full : sending.notSaved;
  return operations[name].input === 'button' ? sentence : `${sentence} ${sending.formKept}`;
}

/** Says that an intent is queued; not 'saved' if `storage` (the current fault) is 'none'. */
export function queuedSentence(
  { because }: Extract<Sent, { kind: 'queued' }>,
  storage: StorageFault | null,
): string {
  return storage === 'none' ? sending.held[because] : sending.queued[because];
}

/** 'Still sending' and 'sent' share one toast. */
export const sendingSubject = 'sending';
export const queuedToast = { subject: sendingSubject, durationMs: 3000 };
/** Longer, because it has a button. */
export const undoToast = { subject: sendingSubject, durationMs: 8000 };
