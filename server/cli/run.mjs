// @ts-check
// `npm run audit` and its like: one of the server's commands, from a fresh clone in one step.
//   node server/cli/run.mjs <name>    runs dist/server/<name>.js
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, orExplain, PrepareError, root } from './prepare.mjs';

// What stays in argv is the command's own.
const [name = ''] = process.argv.splice(2, 1);
const entry = path.join(root, 'dist/server', `${name}.js`);

await orExplain(() => {
  ensureInstalled();
  ensureBuilt();
  if (!/^[a-z-]+$/.test(name) || !existsSync(entry)) {
    throw new PrepareError(`There is no command '${name}'.`);
  }
});
// In this very process, so that signals and the exit code are the command's own.
await import(pathToFileURL(entry).href);
