import { PGlite } from '@electric-sql/pglite';
import type { OpenDatabase } from './database.ts';
import { openPglite, pgliteParsers } from './embedded.ts';

/** A migrated database that ends with its process: nothing on disk, nothing to flush or to clear away. */
export async function openInMemory(): Promise<OpenDatabase> {
  return openPglite(await PGlite.create({ parsers: pgliteParsers }));
}
