/** What the map says: SPEC.md section 2, 'Background map'. */

export const map = {
  label: 'Map',
  yourLocation: 'Your Current Location',
} as const;
