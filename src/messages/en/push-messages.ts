/** Separate, because the service worker bundles it. */

export const pushMessages = {
  newPackage: { title: 'New package available', body: (about: string) => about },
  assigned: { title: 'You’ve been assigned a package', body: (about: string) => about },
  accepted: {
    title: 'Your package has a courier',
    body: (about: string) => `${about} is in transit.`,
  },
  delivered: {
    title: 'Your package was delivered',
    body: (about: string) => `${about} has arrived.`,
  },
  rejected: {
    title: 'Your package is available again',
    body: (about: string) => `The courier dropped ${about}.`,
  },
  /** Shown if the recipient is not signed in here; reveals nothing. */
  unnamed: { title: 'Kaya', body: 'Open the app to see what’s new.' },
} as const;
