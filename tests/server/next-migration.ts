import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { migrationsFolder } from '#server/config/project-root.ts';

/** The folder of an invented next version: our migrations, then one of these statements. */
export async function nextMigrations(...statements: string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kaya-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(migrationsFolder, folder, { recursive: true });
  const file = path.join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(file, 'utf8'));
  const last = journal.entries.at(-1);
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next' };
  await writeFile(file, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  await writeFile(path.join(folder, 'next.sql'), statements.join('\n--> statement-breakpoint\n'));
  return folder;
}
