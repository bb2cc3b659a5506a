/**
 * The app's language. English is complete and bundled. A translation is a folder beside `en` whose
 * `catalogue.ts` exports a `catalogue: Translation`; it is fetched before the first screen, and
 * missing messages fall back to English.
 */

/** Any part of `T` in another language. */
export type Translated<T> = T extends (...given: infer Given) => infer Answer
  ? (...given: Given) => Answer extends string ? string : Answer
  : T extends string
    ? string
    : { [Key in keyof T]?: Translated<T[Key]> };

/** Checked where it is written, by `Translation`. */
type Areas = Readonly<Record<string, unknown>>;
type Load = () => Promise<{ catalogue: Areas }>;

const loads = import.meta.glob<{ catalogue: Areas }>(['./*/catalogue.ts', '!./en/catalogue.ts']);

const translations: ReadonlyMap<string, Load> = new Map(
  Object.entries(loads).map(([file, load]) => [file.split('/')[1] ?? '', load]),
);

/** The first available language of `wanted`, ignoring regions ('ha-NG' is 'ha'); else English. */
export function languageOf(wanted: readonly string[], available: Iterable<string>): string {
  const known = new Set(['en', ...available]);
  const tags = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return tags.find((tag) => known.has(tag)) ?? 'en';
}

/** `translated` merged over English at every depth. */
export function mergeMessages<Words>(
  english: Words,
  translated: Translated<Words> | undefined,
): Words {
  if (translated === undefined) return english;
  if (typeof english !== 'object' || english === null) return translated as Words;
  const said = translated as Record<string, never>;
  return Object.fromEntries(
    Object.entries(english).map(([key, words]) => [key, mergeMessages(words, said[key])]),
  ) as Words;
}

export const language = languageOf(
  typeof navigator === 'undefined' ? [] : navigator.languages,
  translations.keys(),
);

/** Empty for English, or if a translation cannot be fetched. */
const translation: Areas =
  (await translations
    .get(language)?.()
    .then(
      ({ catalogue }) => catalogue,
      () => undefined,
    )) ?? {};

/** One area of the catalogue in the device's language. */
export function localized<Words>(area: string, english: Words): Words {
  return mergeMessages(english, translation[area] as Translated<Words> | undefined);
}
