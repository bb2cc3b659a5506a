export const sending = {
  notSaved: 'Not saved: this phone could not store it. Please try again.',
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
    full: 'Not saved: this phone is full. Free some space, then try again.',
    outdated: 'Not saved: Kaya was updated in another tab. Reload to go on.',
  },
  /** Where there is a form that was filled in. */
  formKept: 'Nothing is lost from the form.',
  decided: 'This change has been decided on already, perhaps in another tab.',
  undo: 'Undo',
  undone: 'Taken back. It was not sent.',
  notUndone: 'It is being sent already and cannot be taken back.',
} as const;
