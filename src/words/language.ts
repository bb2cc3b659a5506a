/**
 * In which language the app speaks. English is complete and part of the code. A translation is a
 * folder beside `en` whose `catalogue.ts` exports a `catalogue` typed `Translation`; it is fetched
 * before the first word is said and may be incomplete: what it lacks is said in English.
 */
import type { Catalogue } from './en/catalogue.ts';

type Said<T> = T extends (...given: infer Given) => infer Answer
  ? (...given: Given) => Answer extends string ? string : Answer
  : T extends string
    ? string
    : { [Key in keyof T]?: Said<T[Key]> };

/** Any part of the English catalogue, said in another language. */
export type Translation = { [Area in keyof Catalogue]?: Said<Catalogue[Area]> };

type Load = () => Promise<{ catalogue: Translation }>;

const loads = import.meta.glob<{ catalogue: Translation }>([
  './*/catalogue.ts',
  '!./en/catalogue.ts',
]);

/** BCP 47 tags of what there is beside English, with how to get it. */
const translations: ReadonlyMap<string, Load> = new Map(
  Object.entries(loads).map(([file, load]) => [file.split('/')[1] ?? '', load]),
);

/** The first of `wanted` that there is, told by its language alone ('ha-NG' is 'ha'); else English. */
export function languageOf(wanted: readonly string[], there: Iterable<string>): string {
  const known = new Set(['en', ...there]);
  const tags = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return tags.find((tag) => known.has(tag)) ?? 'en';
}

/** English with `translated` laid over it, at every depth. */
export function laidOver<Words>(english: Words, translated: Said<Words> | undefined): Words {
  if (translated === undefined) return english;
  if (typeof english !== 'object' || english === null) return translated as Words;
  const said = translated as Record<string, never>;
  return Object.fromEntries(
    Object.entries(english).map(([key, words]) => [key, laidOver(words, said[key])]),
  ) as Words;
}

export const language = languageOf(
  typeof navigator === 'undefined' ? [] : navigator.languages,
  translations.keys(),
);

/** Empty for English. A translation that cannot be fetched must not keep anybody from their work. */
const translation: Translation =
  (await translations
    .get(language)?.()
    .then(
      ({ catalogue }) => catalogue,
      () => undefined,
    )) ?? {};

/** The words of one area of the catalogue, in the language of this device. */
export function inLanguage<Area extends keyof Catalogue>(
  area: Area,
  english: Catalogue[Area],
): Catalogue[Area] {
  return laidOver(english, translation[area]);
}
