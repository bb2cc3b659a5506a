import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
  { name: 'form', test: /src\/ui\/(field|use-form)\./ },
  // What a form and an answer are held against, and the name that stands on both first screens.
  { name: 'checks', test: /src\/(domain\/(validation|token)|ui\/wordmark)\./ },
  // What the map and Home tell each other.
  { name: 'place', test: /src\/state\/(map|position)\./ },
  // The first screen of somebody who is signed in, databases included.
  { name: 'inside', test: /src\/app\/(routes\/home|shell\/shell|session\/user-session)\./ },
  { name: 'map', test: /src\/features\/map\/components\/background-map\./ },
  // What comes by itself once that screen stands: the engine, the calls, the lines.
  {
    name: 'behind',
    test: /src\/(app\/(background\/background-tasks|shell\/status-lines)|sync\/engine|api\/api|data\/package-store|features\/(notifications\/(subscriber|components\/invitation)|install\/components\/install-card))\./,
  },
  { name: 'lists', test: /src\/features\/packages\/screens\/list-screens\./ },
  // Whatever else anybody may open.
  {
    name: 'rest',
    test: /src\/(app\/routes\/other-screens|features\/(packages\/components\/(create-wizard|shared-notice)|account\/components\/sign-out-button|home\/components\/sidebar))\./,
  },
  {
    name: 'map-places',
    test: /src\/features\/map\/components\/(location-picker|package-markers)\./,
  },
].map((group, place) => ({ ...group, priority: 10 - place }));

const routerBuild = (file: string) =>
  fileURLToPath(new URL(`node_modules/react-router/dist/production/${file}`, import.meta.url));

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
              demo: 'server/commands/demo.ts',
              audit: 'server/commands/audit.ts',
              reconcile: 'server/commands/reconcile.ts',
              backup: 'server/commands/backup.ts',
              restore: 'server/commands/restore.ts',
            },
          },
          outDir: 'dist/server',
          target: 'node20',
          sourcemap: true,
          copyPublicDir: false,
        },
      }
    : {
        resolve: {
          alias: [
            // Its ES5 build is a tenth larger.
            { find: 'dexie', replacement: 'dexie/dist/modern/dexie.mjs' },
            // Its exports name the development build alone, with its warnings.
            { find: /^react-router$/, replacement: routerBuild('index.mjs') },
            { find: /^react-router\/dom$/, replacement: routerBuild('dom-export.mjs') },
          ],
        },
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
          // Browsers without modulepreload (Safari before 17) ask for the same files a little later.
          modulePreload: { polyfill: false },
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
