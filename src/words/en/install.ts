/** What is said of the app on the home screen. */
import { productName } from '#domain/product.ts';

export const install = {
  title: `Install ${productName}`,
  text: `${productName} on your home screen opens at once, also without a network.`,
  shareText: `From your home screen ${productName} opens at once, and the phone does not clear what it keeps.`,
  shareSteps: ['Tap Share in the browser’s bar', 'Choose “Add to Home Screen”'],
  install: 'Install',
  notNow: 'Not now',
} as const;
