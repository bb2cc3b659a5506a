/** Sharing a courier's position. */
import { localized } from '#messages/localized.ts';

export const position = localized('position', {
  title: 'Position',
  share: 'Share my position',
  note: 'Recipients of what you carry and dispatchers see where you are while Kaya is open.',
  details: 'Only while you carry something, and it’s forgotten after 10 minutes.',
  denied: 'Location access is off. Allow it in your browser settings, then try again.',
  unavailable: 'Couldn’t find your location. Try again in a moment.',
  stopped: 'Location access is off, so your position is no longer shared.',
  sharing: 'Sharing your position',
  notNow: 'Position on, not shared now',
  change: 'Change in Account',
  seen: (ago: string) => `Seen ${ago}`,
  within: (distance: string) => `accurate to ${distance}`,
  marker: (name: string, ago: string) => `${name}, seen ${ago}`,
  show: 'Show on a map',
} as const);
