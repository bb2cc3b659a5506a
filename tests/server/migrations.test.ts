/** Drizzle runs a migration only if its timestamp is later than that of the last one applied. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'server/migrations';
const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(
  readFileSync(`${folder}/meta/_journal.json`, 'utf8'),
);

test('migrations have increasing timestamps, none in the future', () => {
  const moments = [...entries.map(({ when }) => when), Date.now()];
  expect(moments).toEqual([...new Set(moments)].sort((a, b) => a - b));
});

test('every SQL file is in the journal, in order', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
});
