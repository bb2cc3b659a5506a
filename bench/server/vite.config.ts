import { defineConfig } from 'vite';

/** The loader and the bare server, built beside the server to share its packages. */
export default defineConfig({
  build: {
    ssr: true,
    rolldownOptions: {
      input: {
        server: 'bench/server/main.ts',
        bare: 'bench/server/bare.ts',
        'two-processes': 'bench/server/two-processes.ts',
        fanout: 'bench/fanout/main.ts',
        broadcaster: 'bench/fanout/broadcaster.ts',
        'data-hour': 'bench/fanout/data-hour.ts',
      },
    },
    outDir: 'dist/bench',
    target: 'node20',
    sourcemap: true,
    copyPublicDir: false,
  },
});
