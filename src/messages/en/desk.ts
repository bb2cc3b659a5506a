/** What only a wide window says. */
import { localized } from '#messages/localized.ts';

export const desk = localized('desk', {
  list: 'List',
  keys: {
    label: 'Keyboard shortcuts',
    search: 'Search',
    next: 'Next',
    previous: 'Previous',
    open: 'Open',
    close: 'Close',
  },
} as const);
