import { defineConfig } from 'vitest/config';

const project = (name: string, changes: object = {}) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    environment: 'node' as const,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One after another in a process that has everything loaded: twice as fast as one for each.
    isolate: false,
    ...changes,
  },
});

/** About one of the two databases, or about none. */
const needsPostgres = ['postgres', 'outage', 'upgrade'].map(
  (name) => `tests/server/${name}.test.ts`,
);
const needsNoPostgres = [
  ...[
    'backup-night',
    'bearer-key',
    'config',
    'demo',
    'deploy',
    'durability',
    'fair-gate',
    'forwarded',
    'migrations',
    'process',
    'push-lookup',
    'readme',
    'request-metrics',
    'start',
    'web',
  ],
].map((name) => `tests/server/${name}.test.ts`);

/** They put something in the place of a module, which the files after them would still find there. */
const mocking = [
  ...['bearer-key', 'durability', 'live-sessions', 'password-cost', 'push-lookup'].map(
    (name) => `tests/server/${name}.test.ts`,
  ),
  'tests/unit/screens/announcements.test.ts',
];

/** The server tests once more, on the PostgreSQL that tests/run.mjs starts or a person names. */
const onPostgres = project('server-postgres', {
  include: ['tests/server/**/*.test.ts'],
  exclude: [...needsNoPostgres, ...mocking],
  globalSetup: ['tests/server/postgres-setup.ts'],
});

const onPostgresMocking = project('mocking-postgres', {
  include: mocking.filter((file) => file.startsWith('tests/server/')),
  exclude: needsNoPostgres,
  globalSetup: ['tests/server/postgres-setup.ts'],
  isolate: true,
});

export default defineConfig({
  test: {
    // Left to itself Vitest keeps a core free, which on two cores is half of them.
    maxWorkers: 2,
    projects: [
      project('unit', { exclude: mocking }),
      project('contract'),
      project('sync', { setupFiles: ['fake-indexeddb/auto'] }),
      project('server', { exclude: [...needsPostgres, ...mocking] }),
      project('mocking', { include: mocking, isolate: true }),
      ...(process.env.TEST_DATABASE_URL ? [onPostgres, onPostgresMocking] : []),
    ],
  },
});
