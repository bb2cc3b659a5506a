/** What the map behind the screens says. */
import { map } from '#words/en/map.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('map', map);
