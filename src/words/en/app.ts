/** What the shell itself says: SPEC.md sections 2 and 8, DESIGN.md section 5. */
import { productName } from '#domain/product.ts';

export const app = {
  tabs: {
    label: 'Main',
    home: 'Home',
    tracking: 'Tracking',
    deliveries: 'Deliveries',
    account: 'Account',
    undone: ({ waiting, attention }: { waiting: number; attention: number }) =>
      [
        waiting > 0 ? `${waiting} not sent yet` : '',
        attention > 0 ? `${attention} ${attention === 1 ? 'needs' : 'need'} attention` : '',
      ]
        .filter(Boolean)
        .join(', '),
  },
  loginRequired: 'Please log in to access this page.',
  notFound: '404 Not Found',
  notFoundText: 'There is nothing at this address.',
  goHome: 'Go to Home',
  back: 'Back',
  comingSoon: 'Coming Soon ...',
  placeholders: { support: 'Support', promotion: 'Promotion', about: 'About' },
  loading: 'Loading',
  offline: 'Offline',
  unreachable: 'Server unreachable',
  notAccepted: 'Sign-in not confirmed',
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
    needed: 'Update needed to send',
    tooOld: `This version of ${productName} is too old for the server. Nothing is lost: what waits is sent after the update.`,
    elsewhere: `${productName} was updated in another tab. Reload to use the new version.`,
    reload: 'Reload',
  },
  storage: {
    full: 'This phone is full: changes cannot be saved. Free some space.',
    lost: 'This phone’s storage does not answer. Trying again…',
    none: 'This browser keeps nothing: stay online, changes are lost if you close Kaya before they are sent.',
    outdated: 'Kaya was updated in another tab. Reload to go on.',
    wiped: (count: number) =>
      count === 1
        ? '1 unsent change was lost: this browser cleared Kaya’s data.'
        : `${count} unsent changes were lost: this browser cleared Kaya’s data.`,
    reload: 'Reload',
    without: 'Go on without saving on this phone',
    screens: {
      blocked: {
        title: 'Close the other Kaya tabs',
        text: 'Kaya was updated, and another tab still uses the old version. Once it is closed, Kaya goes on here by itself.',
      },
      newer: {
        title: 'Kaya needs its newer version',
        text: 'A newer version of Kaya was used on this phone, and this one cannot read what it has saved. Nothing is lost. Connect to the network and reload until the newer version is back.',
      },
      lost: {
        title: 'Storage does not answer',
        text: 'Kaya cannot open what it keeps on this phone. It goes on trying by itself; reloading may help.',
      },
      full: {
        title: 'This phone is full',
        text: 'Kaya has no room to work. Free some space, for example by deleting photos or apps; it goes on by itself.',
      },
    },
  },
  crash: {
    title: 'Something went wrong',
    text: 'This screen could not be shown. What you did is kept on this phone.',
    reload: 'Reload',
  },
} as const;
