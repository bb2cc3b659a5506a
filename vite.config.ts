import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { type ManifestOptions, VitePWA } from 'vite-plugin-pwa';
import { listAddress } from '#app/routes/list-address.ts';

// A single source for the manifest; a <link> in index.html would be renamed with a hash.
const manifest: Partial<ManifestOptions> = JSON.parse(
  readFileSync(new URL('./manifest.webmanifest', import.meta.url), 'utf8'),
);

/**
 * Modules that share a chunk. By default there is one per set of screens: 150 files, each a
 * request, each compressed alone. A module of several groups goes to the first.
 */
const groups = [
  // What any page needs first, in two files: each is compiled on a thread of its own, and the larger
  // one seldom changes.
  { name: 'react', test: /node_modules\/(react-dom|scheduler)\// },
  { name: 'start', tags: ['$initial' as const] },
  // Small parts that several of the others share, and what every form needs: one request.
  {
    name: 'first',
    test: /(src\/(domain\/user|state\/(map|position)|ui\/(wordmark|scroll-memory|field|form-parts|use-form|use-online|use-back-closes))|icons\/(circle-exclamation-point|map-pin))\./,
  },
  // Toasts, which may report that there is no network to load more.
  { name: 'toast', test: /src\/ui\/toast-view\./ },
  // Validation of forms and responses, the field for passwords, and what all forms of signing in show.
  {
    name: 'checks',
    test: /(src\/(domain\/(validation|token|link-token)|state\/sign-in-email|ui\/password-field|messages\/en\/auth|features\/auth\/components\/auth-panel)|icons\/eye(-off)?)\./,
  },
  // The first signed-in screen, databases included.
  { name: 'inside', test: /src\/(app\/inside|ui\/card)\./ },
  // What lists and details read, without what sends, and without a courier's money.
  {
    name: 'rows',
    test: /(src\/(data\/(?!use-kept-payments)|domain\/(?!(place|shared)-text|payout)|api\/(runtime-config|server-time)|contract\/errors|messages\/en\/(fields|places)|app\/routes\/support-contact)|icons\/(refresh-cw|clock)\.)/,
  },
  { name: 'map', test: /src\/features\/map\/components\/background-map\./ },
  // What forms and the picker read, without the rest of either.
  { name: 'place-text', test: /src\/domain\/place-text\./ },
  // After the first screen, also that of who is signed out.
  { name: 'updates', test: /src\/app\/pwa\/service-worker\./ },
  // Loaded after that screen is shown: the engine, the API, the status lines.
  {
    name: 'behind',
    test: /src\/(app\/(background\/background-tasks|shell\/status-lines)|sync\/engine|api\/api|features\/(notifications\/(subscriber|components\/invitation)|install\/components\/install-card))\./,
  },
  { name: 'lists', test: /src\/features\/package-list\/screens\/list-screens\./ },
  // Everything else.
  {
    name: 'rest',
    test: /src\/(app\/routes\/other-screens|features\/(package-form\/components\/(create-wizard|shared-notice)|account\/components\/sign-out-button|home\/components\/sidebar))\./,
  },
  {
    name: 'map-places',
    test: /src\/features\/map\/components\/(location-picker|package-markers)\./,
  },
  // When the code of a package is shown.
  { name: 'qr', test: /node_modules\/qr\/index\.js/ },
  // Where the browser has no reader of its own (sw/parts.ts).
  { name: 'qr-reader', test: /node_modules\/qr\/decode\.js/ },
  // Windows from 900 px: phones load and store none of it (sw/parts.ts).
  { name: 'desk', test: /src\/app\/shell\/desk\./ },
].map((group, place) => ({ ...group, priority: 20 - place }));

/** Chunks whose functions mostly run before the first screen is there. */
const busyChunks = ['react', 'start', 'first', 'inside', 'rows', 'lists', 'checks'];

/**
 * Chromium compiles all functions of these while it loads them, on another thread; by default each is
 * compiled on the main thread when it is first called. Counts only on the first line of a file, which
 * Vite writes last.
 */
const compileAhead: Plugin = {
  name: 'compile-ahead',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !busyChunks.includes(chunk.name)) continue;
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        const map = bundle[`${chunk.fileName}.map`];
        if (map?.type !== 'asset') continue;
        const source = JSON.parse(String(map.source));
        map.source = JSON.stringify({ ...source, mappings: `;${source.mappings}` });
      }
    },
  },
};

/** What libraries say for development tools, which keeps the build from dropping what is not used. */
const developmentOnly: Plugin = {
  name: 'development-only',
  apply: 'build',
  transform: {
    filter: { id: /(react-router\/dist\/production|lucide-react\/dist\/esm\/icons)\/.*\.mjs$/ },
    handler: (code) => ({
      code: code
        // Of the router's forms, server rendering and scroll restoration nothing else is left then.
        .replace(/^\w+\.displayName = "\w+";$/gm, '')
        .replace(/ = (React\d*\.(forwardRef|createContext)\()/g, ' = /* @__PURE__ */ $1')
        // React asks for keys in development only, and the lines of an icon never change places.
        .replace(/,\s*key: "\w+"/g, ''),
      map: null,
    }),
  },
};

/** The same order in every build. */
const stylesheets = readdirSync(new URL('./src', import.meta.url), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.module.css'))
  .sort();
const classesOf = new Map<string, string[]>();

/** 'k1f_a': each name is in the stylesheet and again in a script, and a hash compresses badly. */
function shortClassName(name: string, file: string): string {
  const place = stylesheets.findIndex((each) => file.split('?')[0]?.endsWith(`/src/${each}`));
  if (place < 0) throw new Error(`${file} is not in src.`);
  const classes = classesOf.get(file) ?? [];
  classesOf.set(file, classes);
  const nth = classes.includes(name) ? classes.indexOf(name) : classes.push(name) - 1;
  return `k${place.toString(36)}_${nth.toString(36)}`;
}

/** By address, the modules whose chunks its screen loads: those of the first match. */
const screens: readonly [path: string, modules: readonly string[]][] = [
  [listAddress.source, ['app/inside', 'list-screens', 'package-store']],
  ['^/(home)?$', ['app/inside']],
  ['^/(?!auth|forgot|reset|confirm)', ['app/inside', 'other-screens', 'package-store']],
];

/** Modules that only export what others have. */
const tinyBytes = 1_000;

/** Gives the files to the script of index.html, which loads them behind the splash, instead of tags. */
const behindTheSplash: Plugin = {
  name: 'behind-the-splash',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      /** With what it imports. */
      const filesOf = (name: string): string[] => {
        const found = bundle[name];
        return found?.type === 'chunk' ? [name, ...found.imports.flatMap(filesOf)] : [];
      };
      const chunkOf = (module: string) =>
        Object.values(bundle).find(
          (each) => each.type === 'chunk' && each.facadeModuleId?.includes(`/${module}.`),
        )?.fileName ?? '';
      const start = [...html.matchAll(/<script type="module"[^>]*src="\/([^"]+)/g)].map(
        ([, name = '']) => name,
      );
      const sizeOf = (name: string) => {
        const found = bundle[name];
        return found?.type === 'chunk' ? found.code.length : 0;
      };
      /** Over HTTP/1.1 six at a time: the tiny ones soon make way, then the largest come first. */
      const inTurn = (one: string, other: string) => {
        const [a, b] = [sizeOf(one), sizeOf(other)];
        return Math.min(a, b) < tinyBytes ? a - b : b - a;
      };
      const later = (modules: readonly string[]) =>
        [...new Set(modules.map(chunkOf).flatMap(filesOf))]
          .filter((name) => !start.includes(name))
          .sort(inTurn);
      const address = (name: string) => `/${name}`;
      const files = {
        start: start.map(address),
        styles: Object.keys(bundle)
          .filter((name) => name.endsWith('.css'))
          .map(address)[0],
        screens: screens.map(([path, modules]) => [path, later(modules).map(address)]),
      };
      const tags =
        /\s*<(script type="module"|link rel="(stylesheet|modulepreload)")[^>]*>(<\/script>)?/g;
      return html
        .replace(tags, '')
        .replace('files = null', () => `files = ${JSON.stringify(files)}`);
    },
  },
};

const routerBuild = (file: string) =>
  fileURLToPath(new URL(`node_modules/react-router/dist/production/${file}`, import.meta.url));

/**
 * The recipient's page is the server's; these are its scripts, whose names it knows. Built after the
 * app, so that no phone with the app stores them.
 */
const recipientScripts: UserConfig = {
  build: {
    outDir: 'dist/web/track',
    target: 'es2022',
    sourcemap: true,
    copyPublicDir: false,
    modulePreload: false,
    // MapLibre is one file, its styles included.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: { live: 'src/track/live.ts', map: 'src/track/map.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
};

/**
 * `vite build` creates the PWA in dist/web, `vite build --mode recipient` what it has for recipients,
 * `vite build --ssr` the server in dist/server.
 */
export default defineConfig(({ command, isSsrBuild, mode }) =>
  mode === 'recipient'
    ? recipientScripts
    : isSsrBuild
      ? {
          // Hundreds of small files: reading them is a fifth of a server's start.
          ssr: { noExternal: ['drizzle-orm'] },
          build: {
            ssr: true,
            rolldownOptions: {
              input: {
                main: 'server/main.ts',
                demo: 'server/commands/demo.ts',
                audit: 'server/commands/audit.ts',
                pictures: 'server/commands/pictures.ts',
                reconcile: 'server/commands/reconcile.ts',
                backup: 'server/commands/backup.ts',
                restore: 'server/commands/restore.ts',
              },
            },
            outDir: 'dist/server',
            target: 'node20',
            // No phone pays for a comment in each file: who debugs attaches the maps by hand.
            sourcemap: 'hidden',
            copyPublicDir: false,
          },
        }
      : {
          resolve: {
            alias: [
              // Dexie's ES5 build is a tenth larger.
              { find: 'dexie', replacement: 'dexie/dist/modern/dexie.mjs' },
              // The package's exports lead to the development build, with its warnings.
              { find: /^react-router$/, replacement: routerBuild('index.mjs') },
              { find: /^react-router\/dom$/, replacement: routerBuild('dom-export.mjs') },
            ],
          },
          plugins: [
            react(),
            developmentOnly,
            behindTheSplash,
            compileAhead,
            VitePWA({
              strategies: 'injectManifest',
              srcDir: 'sw',
              filename: 'sw.ts',
              injectRegister: false,
              registerType: 'prompt',
              manifest,
              // The launcher stores its icons.
              includeManifestIcons: false,
              integration: {
                // As quiet as the build of the page. vite-plugin-pwa 1 asks for a single file by a deprecated option.
                configureCustomSWViteBuild(worker) {
                  worker.logLevel = 'warn';
                  const { rollupOptions: { input = '' } = {}, ...build } = worker.build ?? {};
                  const output = { entryFileNames: 'sw.mjs', codeSplitting: false };
                  worker.build = { ...build, rolldownOptions: { input, output } };
                },
              },
              injectManifest: {
                // Not the manifest, which the browser fetches when it installs or updates the app.
                globPatterns: ['**/*.{js,css,html,svg}'],
                globIgnores: [
                  // For browsers without storage, which have no precache either.
                  '**/memory-storage-*.js',
                  // Sources of the launcher's icons.
                  '**/icons/{maskable,monochrome,shortcut-*,wordmark}.svg',
                ],
              },
            }),
          ],
          ...(command === 'build' && { css: { modules: { generateScopedName: shortClassName } } }),
          build: {
            outDir: 'dist/web',
            target: 'es2022',
            // No phone pays for a comment in each file: who debugs attaches the maps by hand.
            sourcemap: 'hidden',
            // Browsers without it (Safari before 17) request the same files a little later.
            modulePreload: { polyfill: false },
            // One file compresses better than its parts, and no screen waits for its own.
            cssCodeSplit: false,
            // MapLibre is one file; what all of it may weigh: tests/unit/budgets.test.ts.
            chunkSizeWarningLimit: 1100,
            rolldownOptions: {
              output: { codeSplitting: { groups } },
              treeshake: { propertyReadSideEffects: false },
              // What comes later is decided by the groups.
              checks: { ineffectiveDynamicImport: false },
            },
          },
          server: {
            port: 5173,
            proxy: {
              '/api': 'http://127.0.0.1:3000',
              '/config.json': 'http://127.0.0.1:3000',
              '/sandbox': 'http://127.0.0.1:3000',
              '/t/': 'http://127.0.0.1:3000',
            },
          },
        },
);
