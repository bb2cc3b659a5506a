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
    projects: [
      project('unit'),
      project('contract'),
      project('sync', ['fake-indexeddb/auto']),
      project('server'),
    ],
  },
});
