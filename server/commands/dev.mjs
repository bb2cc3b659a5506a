// @ts-check
// `npm run dev`: Vite with hot reload, and the server rebuilt and restarted on change.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, exitOnPrepareError, root } from './prepare.mjs';

await exitOnPrepareError(() => {
  ensureInstalled();
  ensureBuilt();
});

const vite = path.join(root, 'node_modules/vite/bin/vite.js');
const children = [
  [vite, 'build', '--ssr', '--watch', '--logLevel', 'warn'],
  ['--watch', 'dist/server/main.js'],
  [vite],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));

/** Ctrl+C, or the exit of one process, stops all. */
function stop() {
  for (const child of children) child.kill();
}
for (const child of children) child.on('exit', stop);
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
