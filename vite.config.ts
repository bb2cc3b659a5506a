import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { type ManifestOptions, VitePWA } from 'vite-plugin-pwa';

// One file is the manifest; a <link> in index.html would be renamed with a hash.
const manifest: Partial<ManifestOptions> = JSON.parse(
  readFileSync(new URL('./manifest.webmanifest', import.meta.url), 'utf8'),
);

/** `vite build` makes the PWA in dist/web; `vite build --ssr` the server in dist/server. */
export default defineConfig(({ isSsrBuild }) =>
  isSsrBuild
    ? {
        build: {
          ssr: true,
          rolldownOptions: {
            input: {
              main: 'server/main.ts',
              demo: 'server/demo/main.ts',
              audit: 'server/audit/main.ts',
              reconcile: 'server/reconcile/main.ts',
              backup: 'server/backup/main.ts',
              restore: 'server/restore/main.ts',
            },
          },
          outDir: 'dist/server',
          target: 'node20',
          sourcemap: true,
          copyPublicDir: false,
        },
      }
    : {
        plugins: [
          react(),
          VitePWA({
            strategies: 'injectManifest',
            srcDir: 'sw',
            filename: 'sw.ts',
            injectRegister: false,
            registerType: 'prompt',
            manifest,
            injectManifest: {
              globPatterns: ['**/*.{js,css,html,svg,webmanifest}'],
              // For browsers that keep nothing: these keep no precache either.
              globIgnores: ['**/memory-storage-*.js'],
            },
          }),
        ],
        build: { outDir: 'dist/web', target: 'es2022', sourcemap: true },
        server: {
          port: 5173,
          proxy: {
            '/api': 'http://127.0.0.1:3000',
            '/config.json': 'http://127.0.0.1:3000',
            '/sandbox': 'http://127.0.0.1:3000',
          },
        },
      },
);
