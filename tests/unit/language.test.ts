/** A translation is laid over English, key by key; what it lacks is said in English. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
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
  ])('is for %j, with Hausa there, %s', (wanted, spoken) => {
    expect(languageOf(wanted, ['ha'])).toBe(spoken);
  });

  it('is English where there is nothing else', () => {
    expect(languageOf(['ha-NG'], [])).toBe('en');
  });
});

describe('a translation', () => {
  const hausa: Translation = {
    home: { title: 'Gida', welcomeBack: (name) => `Barka da dawowa, ${name}!` },
    operations: { names: { acceptPackage: 'Karɓi kaya' } },
  };

  it('says what it has, in functions too and at any depth, and English for the rest', () => {
    const home = mergeMessages(catalogue.home, hausa.home);
    expect(home.title).toBe('Gida');
    expect(home.welcomeBack('Musa')).toBe('Barka da dawowa, Musa!');
    expect(home.whereTo).toBe('Where to?');
    expect(home.sidebar).toEqual(catalogue.home.sidebar);
    const { names } = mergeMessages(catalogue.operations, hausa.operations);
    expect(names).toEqual({ ...catalogue.operations.names, acceptPackage: 'Karɓi kaya' });
  });

  it('leaves English itself alone', () => {
    const before = catalogue.home.title;
    mergeMessages(catalogue.home, hausa.home);
    expect(catalogue.home.title).toBe(before);
    expect(mergeMessages(catalogue.home, undefined)).toBe(catalogue.home);
  });
});

describe('the English catalogue', () => {
  it('holds every area that there is a file of', () => {
    const files = readdirSync('src/messages/en').filter((file) => file !== 'catalogue.ts');
    const areas = files.map((file) =>
      path.basename(file, '.ts').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    );
    expect(Object.keys(catalogue).sort()).toEqual(areas.sort());
  });

  it('is where the screens have their texts: none stands in a component', () => {
    const screens = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.tsx'),
    );
    const spoken = screens.flatMap((file) =>
      readFileSync(path.join('src', file), 'utf8')
        .split('\n')
        // Text between tags, or in an attribute that is read out.
        .filter(
          (line) =>
            />[^<>{}=;]*[A-Za-z]{3}[^<>{}=;]*<\//.test(line) ||
            /(aria-label|title|placeholder|alt)="[^"]*[a-z]/.test(line),
        )
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(spoken).toEqual([]);
  });
});
