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
