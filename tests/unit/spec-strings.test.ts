/** No string of the specification goes without a real browser looking for it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { specStrings } from './spec-strings.ts';

const folder = path.resolve('tests/e2e');
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .join('\n')
  // As it reads where it stands in a pattern or between quotes of its own.
  .replaceAll(/\\([.?*+()'])/g, '$1');

/** Shorter ones are words of many sentences: only one that stands for itself counts. */
const shortest = 14;

function isLookedFor(text: string): boolean {
  if (text.length >= shortest) return source.includes(text);
  const literal = text.replace(/[.?*+^$()[\]{}|\\/]/g, '\\$&');
  // Between quotes, or as the beginning or the end of a pattern or of a template.
  return new RegExp(`['"\`/^}]${literal}|${literal}['"\`/$]`).test(source);
}

test.each(Object.entries(specStrings))('the strings of section %s', (_, strings) => {
  expect(strings.filter((text) => !isLookedFor(text))).toEqual([]);
});
