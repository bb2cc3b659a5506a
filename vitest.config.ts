import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { isLong } from './tests/size.ts';

interface Changes {
  setupFiles?: string[];
  exclude?: string[];
  [option: string]: unknown;
}

/** Files that mock a module for their whole process run in their own. */
const isolated = '**/*.isolated.{test,long.test}.ts';

const project = (
  name: string,
  { setupFiles = [], exclude = [isolated], ...changes }: Changes = {},
) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    exclude: [...exclude, ...(isLong ? [] : ['**/*.long.test.ts'])],
    environment: 'node' as const,
    // Against hanging only: the lanes of the long run share two cores.
    testTimeout: isLong ? 180_000 : 60_000,
    hookTimeout: isLong ? 180_000 : 60_000,
    setupFiles: ['tests/fixed-seed.ts', ...setupFiles],
    // Sequentially in a process with everything loaded: twice as fast as one process per file.
    isolate: false,
    ...changes,
  },
});

/** Tests of PostgreSQL only. */
const postgres = '**/*.postgres.test.ts';

/** PostgreSQL if tests/run.mjs started it or the environment names one, otherwise PGlite. */
const hasPostgres = Boolean(process.env.TEST_DATABASE_URL);
const database = hasPostgres ? { globalSetup: ['tests/server/postgres-setup.ts'] } : {};
/** What differs between the two databases: files with a server or a database of their own. */
const withDatabase = readdirSync('tests/server')
  .map((name) => `tests/server/${name}`)
  .filter((file) => /\.test\.ts$/.test(file))
  .filter((file) => /'\.\/(databases|stage|process-stage)\.ts'/.test(readFileSync(file, 'utf8')));
const pglite = { include: ['tests/server/**/*.test.ts'], exclude: [isolated, postgres] };

export default defineConfig({
  test: {
    // By default Vitest keeps a core free, which on two cores is half of them.
    maxWorkers: 2,
    projects: [
      project('unit'),
      project('contract'),
      project('sync', { setupFiles: ['fake-indexeddb/auto'], ...database }),
      project('server', hasPostgres ? database : pglite),
      project('isolated', {
        ...database,
        include: [`tests/${isolated}`],
        exclude: [],
        isolate: true,
      }),
      // The second database.
      ...(isLong && hasPostgres
        ? [project('server-pglite', { ...pglite, include: withDatabase })]
        : []),
    ],
  },
});
