// @ts-check
// Stops a throw-away cluster whose owner was killed: node tests/postgres-watch.mjs <folder of the
// cluster>. The owner holds the other end of stdin, which closes when it ends, however.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const [home = ''] = process.argv.slice(2);
const pidFile = path.join(home, 'data', 'postmaster.pid');

process.stdin.on('close', () => {
  // An owner that exits properly removes the folder, so a pid in this file is still PostgreSQL's.
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]) : 0;
  try {
    if (pid > 1) process.kill(pid, 'SIGQUIT');
  } catch {
    // It exited first.
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});
process.stdin.resume();
