/** The device's storage and clock, where they fail: loaded once they do. */

import { productName } from '#contract/version.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

export const device = localized('device', {
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
} as const);
