// @ts-check
// `npm run bench`: from a fresh clone to the tables of how fast the server and the phone's engine
// are, in one command; `npm run bench -- server` or `client` for one of them.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, orExplain, root, run } from '#server/cli/prepare.mjs';

process.chdir(root);
const [only, ...rest] = process.argv.slice(2);
await orExplain(() => {
  ensureInstalled();
  ensureBuilt();
});
if (only !== 'client') {
  run('Building the bench', process.execPath, [
    ...['node_modules/vite/bin/vite.js', 'build', '--ssr', '--logLevel', 'warn'],
    ...['--config', 'tests/bench/vite.config.ts'],
  ]);
  await import(pathToFileURL(path.join(root, 'dist/bench/main.js')).href);
}
if (only !== 'server') {
  await orExplain(() =>
    run('Measuring the engine', process.execPath, ['tests/bench/client/main.mjs', ...rest]),
  );
}
