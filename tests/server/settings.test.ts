/** The table of docs/configuration.md is the server's list of settings. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settings } from '#server/config/settings.ts';

it('every setting is documented with its default and meaning', () => {
  const rows = Object.entries(settings).map(
    ([name, one]) => `| \`${name}\` | ${one.default} | ${one.meaning} |`,
  );
  const table = ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  expect(readFileSync('docs/configuration.md', 'utf8')).toContain(`${table}\n\n`);
});
