/** The shell. */
import { productName } from '#contract/version.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

export const app = localized('app', {
  tabs: {
    label: 'Main',
    home: 'Home',
    tracking: 'Tracking',
    deliveries: 'Deliveries',
    account: 'Account',
    undone: ({ waiting, attention }: { waiting: number; attention: number }) =>
      [
        waiting > 0 ? `${waiting} not sent yet` : '',
        attention > 0
          ? plural('en', attention, {
              one: '1 needs attention',
              other: `${attention} need attention`,
            })
          : '',
      ]
        .filter(Boolean)
        .join(', '),
  },
  loginRequired: 'Please log in to access this page.',
  notFound: '404 Not Found',
  notFoundText: 'This page doesn’t exist.',
  goHome: 'Go to Home',
  back: 'Back',
  loading: 'Loading',
  offline: 'Offline',
  unreachable: 'Server unreachable',
  notAccepted: 'Couldn’t confirm your sign-in',
  updated: (time: string) => `updated ${time}`,
  neverUpdated: 'not updated yet',
  tryAgain: 'Try again',
  trying: 'Trying again…',
  firstPull: 'Loading packages…',
  progress: (rows: string) => `Loading packages… ${rows} so far`,
  update: {
    title: `A new version of ${productName} is ready`,
    confirm: 'Update',
    later: 'Later',
    underWay: 'Updating…',
    needed: 'Update to send changes',
    tooOld: `This version of ${productName} is out of date. Nothing is lost: your changes will be sent after you update.`,
    elsewhere: `${productName} was updated in another tab. Reload to use the new version.`,
    reload: 'Reload',
  },
  storage: {
    full: 'Your phone is out of storage. Free up some space and Kaya continues automatically.',
    lost: 'Kaya can’t read this device’s storage. Trying again…',
    none: 'This browser doesn’t save data. Unsent changes will be lost if you close Kaya.',
    outdated: 'Kaya was updated in another tab. Reload to continue.',
    wiped: (count: number) =>
      plural('en', count, {
        one: '1 unsent change was lost: this browser cleared Kaya’s data.',
        other: `${count} unsent changes were lost: this browser cleared Kaya’s data.`,
      }),
    reload: 'Reload',
    without: 'Continue without saving on this device',
    screens: {
      blocked: {
        title: 'Close the other Kaya tabs',
        text: 'Kaya was updated, and another tab still uses the old version. Close it and Kaya will continue here automatically.',
      },
      newer: {
        title: 'Update Kaya to continue',
        text: 'The data on this device was saved by a newer version of Kaya. Nothing is lost. Connect to the internet and reload to get that version.',
      },
      lost: {
        title: 'Can’t open storage',
        text: 'Kaya can’t open its data on this device. It will keep trying; reloading may help.',
      },
      full: {
        title: 'Your phone is out of storage',
        text: 'Free up some space, for example by deleting photos or apps, and Kaya continues automatically.',
      },
    },
  },
  clock: {
    fast: (amount: string) =>
      `Your phone’s clock is ${amount} fast. ${productName} uses the right time; set it under Settings → Date & time.`,
    slow: (amount: string) =>
      `Your phone’s clock is ${amount} slow. ${productName} uses the right time; set it under Settings → Date & time.`,
    hide: 'Hide',
  },
  lost: {
    title: 'This screen could not be loaded',
    text: 'Check your internet connection and try again. Your changes are saved on this device.',
    reload: 'Retry',
  },
  crash: {
    title: 'Something went wrong',
    text: 'This screen couldn’t be displayed. Your changes are saved on this device.',
    reload: 'Reload',
  },
} as const);
