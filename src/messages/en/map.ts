import { localized } from '#messages/localized.ts';

export const map = localized('map', {
  label: 'Map',
  yourLocation: 'Your Current Location',
} as const);
