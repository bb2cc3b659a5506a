// @ts-check
// Ends what a check has started where its owner was killed and could not do it:
//   node scripts/deploy/watch.mjs <temporary folder of the check>
// The owner says by lines on stdin which processes are its own ('123'; '-123' for a group) and which of
// them have ended by themselves ('gone 123'). Stdin closes when the owner ends, in whatever way.
import { rmSync } from 'node:fs';

const [folder = ''] = process.argv.slice(2);
/** What a server may take to end by itself. */
const graceMs = 3_000;
/** @type {Set<number>} */
const owned = new Set();
let text = '';

/** Whether it is there to be told. @param {number} pid @param {NodeJS.Signals | 0} signal */
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
    // 0 and -1 would be ourselves and everybody.
    else if (Math.abs(pid) > 1) owned.add(pid);
  }
});
process.stdin.on('close', clear);
