/** Home screen and sidebar. */

import { localized } from '#messages/localized.ts';

export const home = localized('home', {
  title: 'Home',
  openMenu: 'Open menu',
  sheet: {
    label: 'Start a delivery',
    raise: 'Expand',
    lower: 'Collapse',
    close: 'Close',
  },
  addPackage: 'Add package',
  whereTo: 'Where to?',
  deliver: 'Deliver',
  letsStart: 'lets start shipping',
  welcomeBack: (name: string) => `Welcome back, ${name}!`,
  viewAvailable: 'View Available Packages',
  sidebar: {
    label: 'Menu',
    close: 'Close menu',
    myAccount: 'My Account',
    payment: 'Payment',
    promotion: 'Promotion',
    deliveries: 'My Deliveries',
    support: 'Support',
    about: 'About',
  },
} as const);
