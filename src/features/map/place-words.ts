/** What picking a place says, and what the markers on the map are called. */
import { places } from '#words/en/places.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('places', places);
