/** What is said of an intent whatever it is about, between being saved and being answered. */
export const sendingWords = {
  notSaved: 'Not saved: this phone could not store it. Nothing is lost from the form; try again.',
  queued: {
    offline: 'Saved. It will be sent when you are back online.',
    slow: 'Saved. Still sending…',
  },
} as const;

/** One toast for the way of what was saved: still sending, then sent. */
export const sendingSubject = 'sending';
export const queuedToast = { subject: sendingSubject, durationMs: 3000 };
