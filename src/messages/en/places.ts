/** The map, its markers and the place picker. */
import { localized } from '#messages/localized.ts';

export const places = localized('places', {
  recent: 'Recent places',
  degrees: 'Enter coordinates',
  latitude: 'Latitude',
  longitude: 'Longitude',
  hint: 'In degrees, or paste a map link or plus code into either field.',
  wrong:
    'Enter degrees such as 12.0022 and 8.5919, latitude from -90 to 90, longitude from -180 to 180.',
  unread:
    'Kaya can’t look up short links, codes or names, or choose between places. Open it in your map app and copy the coordinates.',
  abroad: 'This place is outside Nigeria.',
  useMine: 'Use my position',
  finding: 'Finding your position...',
  within: (distance: string) => `Your position, accurate to ${distance}.`,
  denied: 'Location access is off. Allow it in your browser settings, or type the place.',
  unavailable: 'Couldn’t find your location. Try again outside, or type the place.',
  why: 'An exact place leads the courier to the door. A landmark in the address helps too.',
  none: 'Use your position or choose a place first.',
  set: 'Set place',
  clear: 'Remove place',
  close: 'Close',
  map: {
    name: 'Map',
    yourLocation: 'Your Current Location',
    label: (place: string) => `Map for ${place}: the arrow keys move the pin`,
    hint: 'Tap the map to drop the pin, or move it with the arrow keys.',
    at: (position: string) => `Pin at ${position}`,
  },
  markers: {
    pickup: (number: string, address: string) => `${number}, pickup: ${address}`,
    delivery: (number: string, address: string) => `${number}, delivery: ${address}`,
    unnumbered: 'New package',
  },
} as const);
