/** A translation is merged over English, key by key, with English as the fallback. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue } from '#messages/en/catalogue.ts';
import { languageOf, mergeMessages, type Translation } from '#messages/localized.ts';

describe('the language of a device', () => {
  it.each([
    [['en-NG', 'ha'], 'en'],
    [['ha-NG', 'en'], 'ha'],
    [['HA'], 'ha'],
    [['yo', 'ha', 'en'], 'ha'],
    [['yo', 'ig'], 'en'],
    [[], 'en'],
  ])('for %j, with Hausa available, is %s', (wanted, spoken) => {
    expect(languageOf(wanted, ['ha'])).toBe(spoken);
  });

  it('is English without alternatives', () => {
    expect(languageOf(['ha-NG'], [])).toBe('en');
  });
});

it('has each area of messages in the catalogue', () => {
  const areas = readdirSync('src/messages/en').map((file) =>
    file.replace('.ts', '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  expect(['catalogue', ...Object.keys(catalogue)].sort()).toEqual(areas.sort());
});

describe('a translation', () => {
  const hausa: Translation = {
    home: { title: 'Gida', welcomeBack: (name) => `Barka da dawowa, ${name}!` },
    operations: { names: { acceptPackage: 'Karɓi kaya' } },
  };

  it('overrides its own keys, functions and nested ones included, with English for the rest', () => {
    const home = mergeMessages(catalogue.home, hausa.home);
    expect(home.title).toBe('Gida');
    expect(home.welcomeBack('Musa')).toBe('Barka da dawowa, Musa!');
    expect(home.whereTo).toBe('Where to?');
    expect(home.sidebar).toEqual(catalogue.home.sidebar);
    const { names } = mergeMessages(catalogue.operations, hausa.operations);
    expect(names).toEqual({ ...catalogue.operations.names, acceptPackage: 'Karɓi kaya' });
  });

  it('does not modify English', () => {
    const before = catalogue.home.title;
    mergeMessages(catalogue.home, hausa.home);
    expect(catalogue.home.title).toBe(before);
    expect(mergeMessages(catalogue.home, undefined)).toBe(catalogue.home);
  });
});
