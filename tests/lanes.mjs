// @ts-check
// Runs the steps of a test run and prints each result as it arrives: step, test, count so far.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { root } from '#server/commands/prepare.mjs';

/**
 * @typedef {object} Step
 * @property {string} name starts each of its lines
 * @property {[program: string, ...args: string[]]} command
 * @property {NodeJS.ProcessEnv} [env] added to this process's own
 * @property {string} [needs] the step of any lane that ends first; if it fails, this one is not run
 */
/** @typedef {import('./reporters/result.ts').Result} Result */

const reasonLines = 30;

/** @param {string} name of a program in node_modules */
export const bin = (name) => path.join(root, 'node_modules/.bin', name);

/** @param {string} name @param {Omit<Step, 'name' | 'command'> & { args?: string[] }} options @returns {Step} */
export const vitest = (name, { args = [], ...options }) => ({
  name,
  command: [bin('vitest'), 'run', '--reporter=./tests/reporters/vitest.ts', ...args],
  ...options,
});

/**
 * Runs the lanes in parallel and the steps of each in sequence; all of them, so that one run shows
 * every failure. A step without its own tests, such as the linter, counts as one.
 * @param {Step[][]} lanes @returns {Promise<boolean>} whether everything passed
 */
export async function runLanes(lanes) {
  const startedAt = Date.now();
  const width = Math.max(...lanes.flat().map(({ name }) => name.length));
  const sum = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const failures = [];

  /** @param {string} name @param {string} line */
  const print = (name, line) => console.log(`${name.padEnd(width)} │ ${line}`);

  /** @param {string} step @param {Result} result */
  function note(step, { name, passed = 0, failed = 0, skipped = 0, ms = 0, reason = '' }) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    const mark = failed > 0 ? '✘' : passed > 0 ? '✓' : '-';
    const tests = passed > 1 ? ` (${passed} tests)` : '';
    const count = `${sum.passed} passed, ${sum.failed} failed`;
    if (failed + passed + skipped === 0) return;
    print(step, `${mark} ${name}${tests} ${(ms / 1000).toFixed(1)} s [${count}]`);
    if (failed === 0) return;
    const lines = stripVTControlCharacters(reason).split('\n').slice(0, reasonLines);
    for (const line of lines) print(step, `    ${line}`);
    failures.push(`\nFAILED ${step}: ${name}\n${lines.join('\n')}`);
  }

  /** @param {Step} step @returns {Promise<boolean>} whether it passed */
  function run({ name, command: [program, ...args], env = {} }) {
    const began = Date.now();
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let results = 0;
    let failed = 0;
    child.on('message', (/** @type {Result} */ result) => {
      results += 1;
      failed += result.failed ?? 0;
      note(name, result);
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => print(name, line));
    }
    return new Promise((resolve) => {
      child.on('close', (code, signal) => {
        const ms = Date.now() - began;
        const isGreen = code === 0;
        if (!isGreen && failed === 0) {
          note(name, { name: `${name} ended with ${code ?? signal}; see above`, failed: 1, ms });
        } else if (results === 0) {
          note(name, { name, passed: 1, ms });
        } else print(name, `ended after ${(ms / 1000).toFixed(0)} s`);
        resolve(isGreen);
      });
    });
  }

  /** @type {Map<string, Promise<boolean>>} */
  const ends = new Map();
  for (const steps of lanes) {
    let before = Promise.resolve(true);
    for (const step of steps) {
      before = before.then(async () => {
        const isReady = step.needs === undefined || (await ends.get(step.needs)) === true;
        if (!isReady) print(step.name, `not run: ${step.needs} failed`);
        return isReady && run(step);
      });
      ends.set(step.name, before);
    }
  }
  await Promise.all(ends.values());
  for (const failure of failures) console.log(failure);
  const { passed, failed, skipped } = sum;
  console.log(`\nThe tests took ${((Date.now() - startedAt) / 1000).toFixed(0)} s.`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 && passed > 0;
}
