import { localized } from '#messages/localized.ts';

export const sending = localized('sending', {
  notSaved: 'Not saved: this device couldn’t store it. Please try again.',
  queued: {
    offline: 'Saved. It will be sent when you are back online.',
    slow: 'Saved. Still sending…',
  },
  /** If the browser stores nothing. */
  held: {
    offline: 'Not sent yet. Keep Kaya open until you are back online.',
    slow: 'Still sending. Keep Kaya open.',
  },
  notSavedFor: {
    full: 'Not saved: your phone is out of storage. Free up some space, then try again.',
    outdated: 'Not saved: Kaya was updated in another tab. Reload to continue.',
  },
  formKept: 'Your entries are still here.',
  decided: 'This change was already resolved, perhaps in another tab.',
  /** A form with unsaved changes. */
  leave: {
    title: 'Leave without saving?',
    text: 'Your changes here haven’t been saved.',
    discard: 'Discard changes',
    stay: 'Keep editing',
  },
  undo: 'Undo',
  undone: 'Undone. It wasn’t sent.',
  takenBack: 'Taken back. It will be sent as soon as possible.',
  notUndone: 'It’s already being sent and can’t be undone.',
} as const);
