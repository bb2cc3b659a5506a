/** A translation is merged over English, key by key, with English as the fallback. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationNames } from '#domain/operation-names.ts';
import { catalogue, type Translation } from '#messages/en/catalogue.ts';
import { languageOf, mergeMessages } from '#messages/localized.ts';

it.each([
  [['en-NG', 'ha'], ['ha'], 'en'],
  [['ha-NG', 'en'], ['ha'], 'ha'],
  [['HA'], ['ha'], 'ha'],
  [['yo', 'ha', 'en'], ['ha'], 'ha'],
  [['yo', 'ig'], ['ha'], 'en'],
  [[], ['ha'], 'en'],
  [['ha-NG'], [], 'en'],
])('a device for %j, with %j beside English, speaks %s', (wanted, available, spoken) => {
  expect(languageOf(wanted, available)).toBe(spoken);
});

it('has each area of messages in the catalogue', () => {
  const areas = readdirSync('src/messages/en').map((file) =>
    file.replace('.ts', '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  expect(['catalogue', ...Object.keys(catalogue)].sort()).toEqual(areas.sort());
});

it.each([
  ['operations', catalogue.operations.names],
  ['successes of operations', catalogue.operations.successes],
  ['events of the timeline', catalogue.packageDetail.timeline.done],
  ['steps', Object.values(catalogue.deliverySteps).filter((word) => typeof word === 'string')],
])('no two %s have the same words', (_, words) => {
  const texts = Object.values(words);
  expect(texts).toEqual([...new Set(texts)]);
});

it.each(
  operationNames,
)('%s has words for every outcome, also of a failure without a reason', (name) => {
  const { names, successes, failures, updateFailed } = catalogue.operations;
  const failure = (failures[name] ?? updateFailed)('');
  for (const text of [names[name], successes[name], failure]) expect(text).toMatch(/\w/);
});

describe('a translation', () => {
  const hausa: Translation = {
    home: { title: 'Gida', welcomeBack: (name) => `Barka da dawowa, ${name}!` },
    operations: { names: { acceptPackage: 'Karɓi kaya' } },
  };

  it('overrides its own keys, functions and nested ones included, and leaves English as it is', () => {
    const { title } = catalogue.home;
    const home = mergeMessages(catalogue.home, hausa.home);
    expect([home.title, home.welcomeBack('Musa')]).toEqual(['Gida', 'Barka da dawowa, Musa!']);
    expect([home.whereTo, home.sidebar]).toEqual(['Where to?', catalogue.home.sidebar]);
    const { names } = mergeMessages(catalogue.operations, hausa.operations);
    expect(names).toEqual({ ...catalogue.operations.names, acceptPackage: 'Karɓi kaya' });
    expect(catalogue.home.title).toBe(title);
    expect(mergeMessages(catalogue.home, undefined)).toBe(catalogue.home);
  });
});
