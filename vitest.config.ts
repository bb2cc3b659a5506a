import { defineConfig } from 'vitest/config';

const project = (name: string, changes: object = {}) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    environment: 'node' as const,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    ...changes,
  },
});

/** About one of the two databases, or about none. */
const needsPostgres = ['postgres', 'outage'].map((name) => `tests/server/${name}.test.ts`);
const needsNoPostgres = [
  ...['config', 'demo', 'durability', 'process', 'readme', 'start', 'web'],
].map((name) => `tests/server/${name}.test.ts`);

/** The server tests once more, on the PostgreSQL that tests/run.mjs starts or a person names. */
const onPostgres = project('server-postgres', {
  include: ['tests/server/**/*.test.ts'],
  exclude: needsNoPostgres,
  globalSetup: ['tests/server/postgres-setup.ts'],
});

export default defineConfig({
  test: {
    // Left to itself Vitest keeps a core free, which on two cores is half of them.
    maxWorkers: 2,
    projects: [
      project('unit'),
      project('contract'),
      project('sync', { setupFiles: ['fake-indexeddb/auto'] }),
      project('server', { exclude: needsPostgres }),
      ...(process.env.TEST_DATABASE_URL ? [onPostgres] : []),
    ],
  },
});
