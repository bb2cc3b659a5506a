import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MigrationConfig } from 'drizzle-orm/migrator';
import { migrationsFolder as ours } from '#server/config/project-root.ts';

/** Runs `migrate` with those of the version before 0005_push_failures. */
export async function migrateTo0004(
  migrate: (config: MigrationConfig) => Promise<unknown>,
): Promise<void> {
  const migrationsFolder = await mkdtemp(path.join(tmpdir(), 'kaya-migrations-'));
  await cp(ours, migrationsFolder, { recursive: true });
  const journal = path.join(migrationsFolder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 5) }));
  await migrate({ migrationsFolder });
  await rm(migrationsFolder, { recursive: true });
}
