// @ts-check
// Installs and builds what is missing or stale. Imports only Node, since it runs on a fresh clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const builtMark = path.join(root, 'dist/.kaya-built');

const buildInputs = [
  'src',
  'sw',
  'server',
  'public',
  'index.html',
  'manifest.webmanifest',
  'vite.config.ts',
  'package-lock.json',
];

/** An expected failure, printed as one sentence without a stack. */
export class PrepareError extends Error {}

/** @param {string} place absolute; a file or a folder
 *  @returns {string[]} absolute files, sorted */
function filesIn(place) {
  if (!existsSync(place)) return [];
  const names = readdirSync(path.dirname(place), { withFileTypes: true });
  const self = names.find((entry) => entry.name === path.basename(place));
  if (!self?.isDirectory()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** @param {string[]} places relative to the root */
function fingerprint(places) {
  const hash = createHash('sha256');
  for (const file of places.flatMap((place) => filesIn(path.join(root, place)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} mark @param {string} wanted */
function isCurrent(mark, wanted) {
  return existsSync(mark) && readFileSync(mark, 'utf8') === wanted;
}

/** @param {string} what for the message @param {string} command @param {string[]} args
 *  @param {NodeJS.ProcessEnv} [env] */
export function run(what, command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (error || status !== 0) {
    throw new PrepareError(
      `${what} failed (${error?.message ?? `exit code ${status}`}); see above.`,
    );
  }
}

/** The npm that started this process, else the one on the path. @param {string[]} args */
function npm(args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return run(`npm ${args[0]}`, process.execPath, [script, ...args]);
  return run(`npm ${args[0]}`, process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new PrepareError(
    `Kaya needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  );
}

/** @typedef {{ integrity?: string, optional?: boolean, os?: string[], cpu?: string[] }} Package */

/**
 * Does npm's record of installed packages match the lockfile, for this platform?
 * @param {Record<string, Package>} locked
 * @param {Record<string, Package>} installed
 */
export function isAsLocked(locked, installed) {
  const { platform, arch } = process;
  return Object.entries({ ...locked, ...installed }).every(([name, { integrity, optional }]) => {
    // The project itself is not in the record.
    if (name === '') return true;
    const { [name]: found } = installed;
    // Most binaries are for other machines.
    if (!found) return optional === true;
    const { os = [platform], cpu = [arch] } = found;
    return locked[name]?.integrity === integrity && os.includes(platform) && cpu.includes(arch);
  });
}

/** @param {string} file @returns {Record<string, Package>} */
const packagesIn = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;

/** Installs from the lockfile if missing or stale. */
export function ensureInstalled() {
  checkNode();
  const record = 'node_modules/.package-lock.json';
  if (
    existsSync(path.join(root, record)) &&
    isAsLocked(packagesIn('package-lock.json'), packagesIn(record))
  ) {
    return;
  }
  console.error('Installing dependencies…');
  // The build needs development dependencies even with NODE_ENV=production.
  npm(['ci', '--include=dev', '--no-audit', '--no-fund']);
}

/** Builds the PWA (dist/web) and the server (dist/server) if missing or stale. */
export function ensureBuilt() {
  const wanted = fingerprint(buildInputs);
  if (isCurrent(builtMark, wanted)) return;
  const says = (/** @type {string} */ step) => console.error(`Building, ${step}…`);
  rmSync(builtMark, { force: true });
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const quietly = ['--logLevel', 'warn'];
  // Any other NODE_ENV would bundle React's development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  says('1 of 4: the app');
  run('Building the app', process.execPath, [vite, 'build', ...quietly], env);
  // After the app, whose build empties the folder.
  says('2 of 4: the scripts of the recipient’s page');
  const forRecipients = [vite, 'build', '--mode', 'recipient', ...quietly];
  run('Building the recipient’s page', process.execPath, forRecipients, env);
  const compress = path.join(root, 'server/commands/compress.mjs');
  says('3 of 4: their files, compressed');
  run('Compressing the app', process.execPath, [compress, path.join(root, 'dist/web')]);
  says('4 of 4: the server');
  run('Building the server', process.execPath, [vite, 'build', '--ssr', ...quietly], env);
  mkdirSync(path.dirname(builtMark), { recursive: true });
  writeFileSync(builtMark, wanted);
}

/** Runs `work`; a PrepareError exits the process with its sentence. @param {() => unknown} work */
export async function exitOnPrepareError(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
