// @ts-check
// Preloaded into a server on the embedded database (node --import): counts its writes and flushes,
// and kills the process before or after the call a test names. A SIGKILL to oneself is immediate,
// so the position is exact.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** @type {string[] | undefined} undefined while not counting */
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

// Every message ends a count and is answered with it.
process.on('message', (/** @type {any} */ message) => {
  const counted = steps ?? [];
  steps = message.isCounting ? [] : undefined;
  killAt = message.killAt;
  process.send?.(counted);
});
// Do not keep the process alive.
process.channel?.unref();
