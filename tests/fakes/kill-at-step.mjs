// @ts-check
// Loaded into a server on the embedded database before its own code (node --import): counts what
// it writes and flushes, and kills the process in front of or behind the call that the test names.
// Nothing runs after a SIGKILL to oneself, so the place is exact.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** @type {string[] | undefined} undefined while nobody counts */
let steps;
/** @type {import('./steps.ts').Place | null} */
let killAt = null;

/** @param {string} label */
function step(label) {
  if (!steps) return;
  steps.push(label);
  if (label !== killAt?.label) return;
  if (steps.filter((one) => one === label).length === killAt.nth)
    process.kill(process.pid, 'SIGKILL');
}

const watched = /** @type {const} */ ({ writeSync: 'write', fdatasyncSync: 'commit' });
for (const [name, label] of Object.entries(watched)) {
  const method = /** @type {keyof typeof watched} */ (name);
  const real = /** @type {(...args: unknown[]) => unknown} */ (fs[method]);
  Object.assign(fs, {
    [method]: (/** @type {unknown[]} */ ...args) => {
      step(`before ${label}`);
      const result = real(...args);
      step(`after ${label}`);
      return result;
    },
  });
}
syncBuiltinESMExports();

// Every message ends a count and answers it.
process.on('message', (/** @type {any} */ message) => {
  const counted = steps ?? [];
  steps = message.isCounting ? [] : undefined;
  killAt = message.killAt;
  process.send?.(counted);
});
// A server that has nothing else to wait for may end.
process.channel?.unref();
