// @ts-check
// `npm run bench`: from a fresh clone to one table of the speed of the server, the phone's engine,
// the first page and the streams, and of how their cost grows. `npm run bench -- server`, `client`,
// `page`, `fanout` or `growth` runs one part; names of its cases (client only) run just those, printed but not saved.
// Exits with 1 if a bar is missed or a part fails; the other parts still run and are saved.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { openGround } from '#scripts/deploy/ground.mjs';
import {
  ensureBuilt,
  ensureInstalled,
  exitOnPrepareError,
  root,
} from '#server/commands/prepare.mjs';
import { build } from './build.mjs';
import { isWanting, say } from './report.mjs';
import { markdownOf, writeResults } from './results.mjs';

/** Each command reports its findings as they arise. */
const parts = {
  server: ['dist/bench/server.js'],
  client: ['bench/client/main.mjs'],
  page: ['bench/page/main.mjs', 'bench/page/tracking.mjs', 'bench/page/photo.mjs'],
  fanout: ['dist/bench/fanout.js', 'dist/bench/data-hour.js'],
  growth: ['bench/growth/main.mjs', 'dist/bench/two-processes.js'],
};
const names = /** @type {Array<keyof typeof parts>} */ (Object.keys(parts));

/** @typedef {import('./results.mjs').PartResult} PartResult */

/**
 * @param {string} file @param {readonly string[]} args
 * @param {(findings: import('./report.mjs').Findings) => void} onFindings
 * @returns {Promise<string | null>} how it failed
 */
async function runCommand(file, args, onFindings) {
  if (file.startsWith('dist/bench/')) {
    build('Building the bench', 'bench/server/vite.config.ts', ['--ssr']);
  }
  // Everything it starts and leaves shares a process group and a temporary folder, which end with
  // it.
  const env = { ...process.env, TMPDIR: ground.folder };
  const child = fork(path.join(root, file), args, { cwd: root, env, detached: true });
  ground.own(child, { signal: 'SIGTERM', isGroup: true });
  child.on('message', onFindings);
  // Not 'exit': the last messages may still be on their way.
  const [code, signal] = await once(child, 'close');
  return code === 0 ? null : `\`${file}\` ended with ${code ?? signal}`;
}

/** @param {keyof typeof parts} name @param {readonly string[]} args @returns {Promise<PartResult>} */
async function runPart(name, args) {
  const { ensureBrowser } = await import('#tests/browser.mjs');
  const { stdout } = spawnSync(ensureBrowser(), ['--version'], { encoding: 'utf8' });
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GB`;
  const begun = performance.now();
  /** @type {PartResult} */
  const result = {
    name,
    measuredAt: new Date().toISOString(),
    seconds: 0,
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}`,
    node: process.versions.node,
    browser: stdout.trim(),
    failure: null,
    figures: [],
    growth: [],
  };
  for (const file of parts[name]) {
    const failure = await runCommand(file, args, ({ figures = [], growth = [] }) => {
      result.figures.push(...figures);
      result.growth.push(...growth);
    }).catch((error) => String(error));
    result.failure ??= failure;
  }
  result.seconds = Math.round((performance.now() - begun) / 1000);
  return result;
}

/** @param {string} sentence */
function refuse(sentence) {
  say(sentence);
  process.exit(1);
}

process.chdir(root);
const [only, ...rest] = process.argv.slice(2);
const wanted = names.filter((name) => only === undefined || name === only);
if (wanted.length === 0) refuse(`There is no part '${only}': ${names.join(', ')}.`);
// Only the client's part has cases.
if (rest.length > 0 && only !== 'client') {
  refuse(`Only 'client' has pieces; '${only}' is measured whole: npm run bench -- ${only}.`);
}
await exitOnPrepareError(() => {
  ensureInstalled();
  ensureBuilt();
});
const ground = openGround('kaya-bench-');
// PostgreSQL runs as another user, with its folder inside this one.
chmodSync(ground.folder, 0o711);
/** @type {PartResult[]} */
const results = [];
for (const name of wanted) {
  say(`\nMeasuring: ${name}…`);
  results.push(await runPart(name, rest));
  // After each part, so that an interrupted run keeps its results.
  if (rest.length === 0) writeResults(root, names, results);
}
process.stdout.write(`\n${markdownOf(results)}\n`);
if (results.some(isWanting)) process.exitCode = 1;
