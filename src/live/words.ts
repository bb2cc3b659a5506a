import type { StorageFault } from '#db/failure.ts';
import { NotSavedError } from '#sync/not-saved-error.ts';
import type { Sent } from './use-send.ts';

/** What is said of an intent whatever it is about, between being saved and being answered. */
export const sendingWords = {
  notSaved: 'Not saved: this phone could not store it. Nothing is lost from the form; try again.',
  queued: {
    offline: 'Saved. It will be sent when you are back online.',
    slow: 'Saved. Still sending…',
  },
  /** Where the browser keeps nothing. */
  held: {
    offline: 'Not sent yet. Keep Kaya open until you are back online.',
    slow: 'Still sending. Keep Kaya open.',
  },
  notSavedFor: {
    full: 'Not saved: this phone is full. Free some space, then try again. Nothing is lost from the form.',
    outdated: 'Not saved: Kaya was updated in another tab. Reload to go on.',
  },
  decided: 'This change has been decided on already, perhaps in another tab.',
  undo: 'Undo',
  undone: 'Taken back. It was not sent.',
  notUndone: 'It is being sent already and cannot be taken back.',
} as const;

/** Why an intent is not on this phone. */
export function notSavedSentence(error: unknown): string {
  const fault = error instanceof NotSavedError ? error.fault : null;
  if (fault === 'full' || fault === 'outdated') return sendingWords.notSavedFor[fault];
  return sendingWords.notSaved;
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
