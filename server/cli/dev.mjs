// @ts-check
// `npm run dev`: Vite with hot reload in front, the server rebuilt and restarted on change behind.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, orExplain, root } from './prepare.mjs';

await orExplain(() => {
  ensureInstalled();
  ensureBuilt();
});

const vite = path.join(root, 'node_modules/vite/bin/vite.js');
const children = [
  [vite, 'build', '--ssr', '--watch', '--logLevel', 'warn'],
  ['--watch', 'dist/server/main.js'],
  [vite],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));

/** One of them ending, or Ctrl+C, ends all. */
function stop() {
  for (const child of children) child.kill();
}
for (const child of children) child.on('exit', stop);
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
