import { defineConfig } from 'vitest/config';

const project = (name: string, setupFiles: string[] = []) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    setupFiles,
    environment: 'node' as const,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // Left to itself Vitest keeps a core free, which on two cores is half of them.
    maxWorkers: 2,
    projects: [
      project('unit'),
      project('contract'),
      project('sync', ['fake-indexeddb/auto']),
      project('server'),
    ],
  },
});
