import type { Config } from '#server/config.ts';
import type { OpenDatabase } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { openPostgres, type Patience } from './external.ts';

/** The PostgreSQL of DATABASE_URL, else the embedded database in DATA_DIR. Throws StartupError. */
export function openDatabase(
  { databaseUrl, dataDir }: Config,
  patience: Patience,
): Promise<OpenDatabase> {
  return databaseUrl === undefined ? openEmbedded(dataDir) : openPostgres(databaseUrl, patience);
}
