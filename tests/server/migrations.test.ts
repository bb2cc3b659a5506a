/** Drizzle runs a migration only where its moment is later than that of the last one it ran. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'server/migrations';
const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(
  readFileSync(`${folder}/meta/_journal.json`, 'utf8'),
);

test('each migration is later than the one before it, and none in the future', () => {
  const moments = [...entries.map(({ when }) => when), Date.now()];
  expect(moments).toEqual([...new Set(moments)].sort((a, b) => a - b));
});

test('each file of statements is in the journal, in its order', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.sort());
});
