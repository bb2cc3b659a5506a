// @ts-check
// `npm test`: installs what is missing, builds once, then runs every check; two lanes side by side
// (Vitest beside types, lint and the real-browser tests), since both share the one build.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, orExplain, root } from '#server/cli/prepare.mjs';
import { playwrightFailures, vitestFailures } from './failures.mjs';

const results = path.join(root, 'test-results');
const startedAt = Date.now();
process.chdir(root);

await orExplain(() => {
  ensureInstalled();
  ensureBuilt();
});
const { ensureBrowser } = await import('./browser.mjs');
const browser = ensureBrowser();
console.log(`Chromium of the real-browser tests: ${browser}`);
const { startPostgres } = await import('./postgres.mjs');
const postgres = await startPostgres();
const databases = postgres
  ? `PGlite and PostgreSQL ${postgres.version}`
  : 'PGlite only: no PostgreSQL could be found or installed (TEST_DATABASE_URL may name one)';
console.log(`Server tests: ${databases}`);
process.on('exit', () => postgres?.stop());
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(1));
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

/** Runs a tool of node_modules; what it prints comes out whole when it ends.
 * @param {string} name @param {string[]} command @returns {Promise<boolean>} whether it passed */
function check(name, command) {
  const [tool = '', ...args] = command;
  const began = Date.now();
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const output = [];
    const child = spawn(tool, args, {
      cwd: root,
      env: {
        ...process.env,
        CHROMIUM_PATH: browser,
        ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}),
        PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(results, 'playwright.json'),
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      console.log(`\n── ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

/** @param {[string, string[]][]} steps one after another; all run, so that one run shows all faults */
async function lane(steps) {
  let passed = true;
  for (const [name, command] of steps) passed = (await check(name, command)) && passed;
  return passed;
}

/** @param {string} name of a tool in node_modules */
const bin = (name) => path.join(root, 'node_modules/.bin', name);

const lanes = await Promise.all([
  lane([
    [
      'vitest',
      [
        bin('vitest'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${results}/vitest.json`,
      ],
    ],
  ]),
  // The shorter one.
  lane([
    ['types', [process.execPath, 'tests/check-types.mjs']],
    ['lint', [bin('biome'), 'check', '--error-on-warnings', '.']],
    ['playwright', [bin('playwright'), 'test']],
  ]),
]);

// Else its process would keep this one from ending.
postgres?.stop();

/** @param {string} file @returns {any} */
function report(file) {
  const place = path.join(results, file);
  return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : null;
}

const vitest = report('vitest.json');
const playwright = report('playwright.json');
const passed = (vitest?.numPassedTests ?? 0) + (playwright?.stats.expected ?? 0);
const failed =
  (vitest?.numFailedTests ?? 0) +
  (playwright ? playwright.stats.unexpected + playwright.stats.flaky : 0);
const skipped = (vitest?.numPendingTests ?? 0) + (playwright?.stats.skipped ?? 0);
const isGreen = lanes.every(Boolean) && vitest !== null && playwright !== null;

const failures = [...vitestFailures(vitest), ...playwrightFailures(playwright)];
for (const { name, why } of failures) console.log(`\nFAILED ${name}\n${why}`);
console.log(`\nAll of it took ${((Date.now() - startedAt) / 1000).toFixed(0)} s.`);
if (!isGreen && failed === 0) console.log('A check outside the tests failed; see FAILED above.');
console.log(`Server tests ran on ${databases}.`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = isGreen ? 0 : 1;
