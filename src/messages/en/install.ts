import { productName } from '#contract/version.ts';
import { localized } from '#messages/localized.ts';

export const install = localized('install', {
  title: `Install ${productName}`,
  text: `Add ${productName} to your home screen to open it instantly, even offline.`,
  shareText: `From your home screen ${productName} opens instantly, and your saved data is kept.`,
  shareSteps: ['Tap Share in the browser’s bar', 'Choose “Add to Home Screen”'],
  install: 'Install',
  notNow: 'Not now',
} as const);
