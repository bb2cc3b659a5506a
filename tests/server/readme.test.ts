/** The README's table of settings and the server's are one. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settings } from '#server/settings.ts';

it('the README shows every setting with its default and meaning', () => {
  const rows = settings.map((one) => `| \`${one.name}\` | ${one.default} | ${one.meaning} |`);
  const table = ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  expect(readFileSync('README.md', 'utf8')).toContain(table);
});
