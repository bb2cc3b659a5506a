import { defineConfig } from 'vite';

/** The loader and the bare server, beside the server itself so that they find the same packages. */
export default defineConfig({
  build: {
    ssr: true,
    rolldownOptions: { input: { main: 'tests/bench/main.ts', bare: 'tests/bench/bare.ts' } },
    outDir: 'dist/bench',
    target: 'node20',
    sourcemap: true,
    copyPublicDir: false,
  },
});
