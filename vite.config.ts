import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { type ManifestOptions, VitePWA } from 'vite-plugin-pwa';

// One file is the manifest; a <link> in index.html would be renamed with a hash.
const manifest: Partial<ManifestOptions> = JSON.parse(
  readFileSync(new URL('./manifest.webmanifest', import.meta.url), 'utf8'),
);

/**
 * Which modules come together. Left to itself the bundler makes a file of every set of modules that
 * the same screens share: 150 of them, each a request, each compressed alone. Whatever several groups
 * need goes with the first.
 */
const groups = [
  // What any page begins with.
  { name: 'start', tags: ['$initial' as const] },
  // What is said in passing, perhaps that there is no network to load more by.
  { name: 'toast', test: /src\/ui\/toast-view\./ },
  // What every form is made of, the first one too.
  { name: 'form', test: /src\/ui\/field\./ },
  // What a form and an answer are held against, and the name that stands on both first screens.
  { name: 'checks', test: /src\/(domain\/(validation|token)|ui\/wordmark)\./ },
  // What the map and Home tell each other.
  { name: 'place', test: /src\/state\/(map|position)\./ },
  // The first screen of somebody who is signed in, databases included.
  { name: 'inside', test: /src\/app\/(first-screens|user-keeper)\./ },
  { name: 'map', test: /src\/(app\/background|features\/map\/background-map)\./ },
  // What comes by itself once that screen stands: the engine, the calls, the lines.
  {
    name: 'behind',
    test: /src\/(app\/(behind-the-screens|connection-line|storage-line|undone-count|user-engine)|api\/api|live\/package-store|features\/(notifications\/(subscriber|invitation)|install\/install-card))\./,
  },
  { name: 'lists', test: /src\/app\/list-screens\./ },
  // Whatever else anybody may open.
  {
    name: 'rest',
    test: /src\/(app\/other-screens|features\/(packages\/(create-wizard|shared-notice)|account\/sign-out-button|home\/sidebar))\./,
  },
  {
    name: 'map-places',
    test: /src\/(app\/place-picker|features\/map\/package-markers)\./,
  },
].map((group, place) => ({ ...group, priority: 10 - place }));

/** `vite build` makes the PWA in dist/web; `vite build --ssr` the server in dist/server. */
export default defineConfig(({ isSsrBuild }) =>
  isSsrBuild
    ? {
        // Hundreds of small files: reading them one by one is a fifth of a server's start.
        ssr: { noExternal: ['drizzle-orm'] },
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
        // Its ES5 build is a tenth larger.
        resolve: { alias: { dexie: 'dexie/dist/modern/dexie.mjs' } },
        plugins: [
          react(),
          VitePWA({
            strategies: 'injectManifest',
            srcDir: 'sw',
            filename: 'sw.ts',
            injectRegister: false,
            registerType: 'prompt',
            manifest,
            // The launcher keeps its pictures itself.
            includeManifestIcons: false,
            injectManifest: {
              globPatterns: ['**/*.{js,css,html,svg,webmanifest}'],
              globIgnores: [
                // For browsers that keep nothing: these keep no precache either.
                '**/memory-storage-*.js',
                // What the launcher's pictures are made of.
                '**/icons/{maskable,monochrome,shortcut-*,wordmark}.svg',
              ],
            },
          }),
        ],
        build: {
          outDir: 'dist/web',
          target: 'es2022',
          sourcemap: true,
          // All of it compresses to less than its parts, and no screen waits for its own.
          cssCodeSplit: false,
          rolldownOptions: { output: { codeSplitting: { groups } } },
        },
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
