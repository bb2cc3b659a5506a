import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrationsFolder as ours } from '#server/config/project-root.ts';

/** Those of the version before 0005_push_failures, for drizzle's `migrate`. */
export async function migrationsTo0004(): Promise<{ migrationsFolder: string }> {
  const migrationsFolder = await mkdtemp(path.join(tmpdir(), 'kaya-migrations-'));
  await cp(ours, migrationsFolder, { recursive: true });
  const journal = path.join(migrationsFolder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 5) }));
  return { migrationsFolder };
}
