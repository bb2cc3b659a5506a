// @ts-check
// `npm start` and `npm run demo`: from a fresh clone to a running server in one command.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, orExplain, root } from './prepare.mjs';

const entry = process.argv.includes('--demo') ? 'demo.js' : 'main.js';

await orExplain(() => {
  ensureInstalled();
  ensureBuilt();
});
// npm does not hand a SIGTERM on through the shell it starts us with, and would leave us behind with
// the port and the data folder. A parent that is gone is that signal.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

// In this very process, so that signals and the exit code are the server's own.
await import(pathToFileURL(path.join(root, 'dist/server', entry)).href);
