// @ts-check
// Ends the processes of a check that was killed before it could clean up:
//   node scripts/deploy/watch.mjs <temporary folder of the check>
// The check reports its processes on stdin ('123'; '-123' for a group) and those that have ended
// ('gone 123'). Stdin closes when the check ends, however it ends.
import { rmSync } from 'node:fs';

const [folder = ''] = process.argv.slice(2);
/** How long a server may take to stop. */
const graceMs = 3_000;
/** @type {Set<number>} */
const owned = new Set();
let text = '';

/** False: there is no such process. @param {number} pid @param {NodeJS.Signals | 0} signal */
function tell(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

async function clear() {
  const end = Date.now() + graceMs;
  let living = [...owned].filter((pid) => tell(pid, 'SIGTERM'));
  while (living.length > 0 && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    living = living.filter((pid) => tell(pid, 0));
  }
  for (const pid of living) tell(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

process.stdin.on('data', (chunk) => {
  const lines = `${text}${chunk}`.split('\n');
  text = lines.pop() ?? '';
  for (const line of lines) {
    const pid = Number(line.replace('gone ', ''));
    if (line.startsWith('gone ')) owned.delete(pid);
    // 0 and -1 would signal this process group and every process.
    else if (Math.abs(pid) > 1) owned.add(pid);
  }
});
process.stdin.on('close', clear);
