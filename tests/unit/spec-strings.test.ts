/** Each string of the specification stands in what the app says: a changed word is noticed here. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { specStrings } from './spec-strings.ts';

const said = ['src/messages/en', 'src/domain', 'src/contract']
  .flatMap((folder) => readdirSync(folder).map((file) => path.join(folder, file)))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** As a string of its own, or at the beginning or the end of a template. */
function isSaid(text: string): boolean {
  const literal = text.replace(/[.?*+^$()[\]{}|\\/]/g, '\\$&').replaceAll("'", "\\\\?'");
  return new RegExp(`['"\`}]${literal}|${literal}['"\`$]`).test(said);
}

test.each(Object.entries(specStrings))('the strings of section %s', (_, strings) => {
  expect(strings.filter((text) => !isSaid(text))).toEqual([]);
});
