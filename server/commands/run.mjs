// @ts-check
// `npm start`, `npm run audit` and the like: from a fresh clone to a running command in one step.
//   node server/commands/run.mjs          installs and builds what is missing or stale
//   node server/commands/run.mjs <name>   then runs dist/server/<name>.js
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ensureBuilt,
  ensureInstalled,
  exitOnPrepareError,
  PrepareError,
  root,
} from './prepare.mjs';

const [name] = process.argv.splice(2, 1);
const entry = path.join(root, 'dist/server', `${name}.js`);

await exitOnPrepareError(() => {
  ensureInstalled();
  ensureBuilt();
  if (name !== undefined && !(/^[a-z-]+$/.test(name) && existsSync(entry))) {
    throw new PrepareError(`There is no command '${name}'.`);
  }
});

if (name !== undefined) {
  if (name === 'main') console.error('Starting the server…');
  // npm does not forward SIGTERM through its shell, which would leave this process holding the port
  // and the data folder. A new parent process counts as that signal.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
    }, 500).unref();
  }
  // In this process, so that signals and the exit code are the command's.
  await import(pathToFileURL(entry).href);
}
