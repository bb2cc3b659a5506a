// Puts each fault of this folder into a private copy of the checkout, runs the tests of its area and
// says which test finds it. Ends with 1 where one is not found or its text is no longer there.
// node scripts/faults/run.mjs [--only REGEXP] [--list] [--check]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { engine } from './engine.mjs';
import { ledger } from './ledger.mjs';
import { screens } from './screens.mjs';
import { server } from './server.mjs';

/** @typedef {{ name: string, file: string, find: string, put: string, tests: string[] }} Fault */

const limitMs = 20 * 60_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
/** @type {(Fault & { group: string })[]} */
const faults = Object.entries({ engine, ledger, server, screens }).flatMap(([group, list]) =>
  list
    .map((fault) => ({ ...fault, group }))
    .filter((fault) => new RegExp(values.only, 'i').test(`${group}: ${fault.name}`)),
);

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);

/** @param {...string} args */
const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The file with and without the fault. @param {Fault} fault @param {string} folder */
function textsOf({ file, find, put, tests }, folder) {
  const sound = readFileSync(path.join(folder, file), 'utf8');
  const [before = '', after, ...more] = sound.split(find);
  if (after === undefined || more.length > 0) throw new Error(`not once in ${file}: ${find}`);
  const missing = tests.find((test) => !existsSync(path.join(folder, test)));
  if (missing) throw new Error(`there is no ${missing}`);
  return { sound, faulty: `${before}${put}${after}` };
}

/**
 * The titles of the failed tests in a report of Vitest or Playwright.
 * @param {any} node @returns {string[]}
 */
function failedIn(node) {
  if (node.status === 'failed' && node.fullName) return [node.fullName];
  /** @type {{ status: string }[]} */
  const results = (node.tests ?? []).flatMap((/** @type {any} */ test) => test.results);
  if (results.some(({ status }) => ['failed', 'timedOut'].includes(status))) return [node.title];
  const children = [node.testResults, node.assertionResults, node.suites, node.specs];
  return children.flatMap((list) => (list ?? []).flatMap(failedIn));
}

/** `npm test`, then what only `npm run test:long` runs. */
const runs = [{}, { TEST_LONG: '1' }];

/**
 * The first test that fails in this run, of those with this title; null: none does.
 * @param {string} folder @param {string[]} tests @param {object} run @param {string} [title]
 */
function firstFailure(folder, tests, run, title = '') {
  const only = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const report = path.join(folder, 'report.log');
  const isBrowser = tests.every((test) => test.startsWith('tests/e2e/'));
  const [command, ...args] = isBrowser
    ? ['playwright', 'test', '-x', '--workers=1', '--reporter=json', '-g', only]
    : ['vitest', 'run', '--bail=1', '--reporter=json', `--outputFile=${report}`, '-t', only];
  rmSync(report, { force: true });
  const result = spawnSync(`node_modules/.bin/${command}`, [...args, ...tests], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...run, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  if (result.error) throw result.error;
  if (result.status === 0) return null;
  const [failed] = failedIn(JSON.parse(readFileSync(report, 'utf8')));
  if (!failed) throw new Error(`no test failed:\n${result.stdout.slice(-2_000)}${result.stderr}`);
  return failed;
}

/** What fails with the fault and not without it. @param {string} folder @param {Fault} fault */
function findIn(folder, fault) {
  const { sound, faulty } = textsOf(fault, folder);
  const file = path.join(folder, fault.file);
  for (const run of runs) {
    writeFileSync(file, faulty);
    let found;
    try {
      found = firstFailure(folder, fault.tests, run);
    } finally {
      writeFileSync(file, sound);
    }
    if (found === null) continue;
    if (firstFailure(folder, fault.tests, run, found) === null) return found;
    throw new Error(`fails without the fault too: ${found}`);
  }
  return null;
}

function runAll() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kaya-faults-'));
  // What is changed and not committed yet is part of it.
  git('worktree', 'add', '--detach', folder, git('stash', 'create') || 'HEAD');
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const found = new Map();
  try {
    for (const fault of faults) {
      let by;
      try {
        by = findIn(folder, fault);
      } catch (error) {
        by = null;
        say(String(error));
      }
      const [count, all] = found.get(fault.group) ?? [0, 0];
      found.set(fault.group, [count + (by === null ? 0 : 1), all + 1]);
      say(`| ${fault.group} | ${fault.name} | ${by ?? '**not found**'} |`);
    }
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
  for (const [group, [count, all]] of found) say(`${group}: ${count} of ${all} found`);
  return [...found.values()].every(([count, all]) => count === all);
}

function checkAll() {
  const problems = faults.flatMap((fault) => {
    try {
      textsOf(fault, '.');
      return [];
    } catch (error) {
      return [`${fault.group}: ${fault.name}: ${error}`];
    }
  });
  for (const problem of problems) say(problem);
  return problems.length === 0;
}

if (values.list) for (const { group, name, file } of faults) say(`${group}: ${name} (${file})`);
else process.exitCode = (values.check ? checkAll() : checkAll() && runAll()) ? 0 : 1;
