// @ts-check
// `npm run bench`: from a fresh clone to the table of how fast the server is, in one command.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, orExplain, root, run } from '#server/cli/prepare.mjs';

process.chdir(root);
await orExplain(() => {
  ensureInstalled();
  ensureBuilt();
  run('Building the bench', process.execPath, [
    ...['node_modules/vite/bin/vite.js', 'build', '--ssr', '--logLevel', 'warn'],
    ...['--config', 'tests/bench/vite.config.ts'],
  ]);
});
await import(pathToFileURL(path.join(root, 'dist/bench/main.js')).href);
