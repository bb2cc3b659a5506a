/** The working area's sheet. */
import { localized } from '#messages/localized.ts';

export const area = localized('area', {
  title: 'Area',
  legend: 'New packages from',
  everywhere: 'Everywhere',
  within: (km: number) => `Within ${km} km`,
  km: (km: number) => `${km} km`,
  note: 'For the list and for notifications. Based on your current location, rounded to about 1 km. It doesn’t update as you move. Packages without a pin always show.',
  renew: 'Use my current location',
  locating: 'Finding your location...',
  notLocated: 'Couldn’t get your location, so the area wasn’t changed.',
  notSaved: 'Couldn’t save this on your device. Please try again.',
} as const);
