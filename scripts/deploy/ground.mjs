// @ts-check
// A temporary folder and a list of processes to end. Cleanup is synchronous, so that it also runs
// on a signal or an uncaught error; if this process is killed, a watcher does it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFromDebian } from '#tests/debian.mjs';

/**
 * @typedef {object} Ground
 * @property {string} folder
 * @property {(end: () => void) => void} onEnd
 * @property {(child: import('node:child_process').ChildProcess, how: { signal: NodeJS.Signals, isGroup?: boolean }) => void} own
 *   ends it by that signal, or its whole group (if spawned as `detached`)
 */

/** @param {string} folder */
function watchOver(folder) {
  const file = fileURLToPath(new URL('./watch.mjs', import.meta.url));
  // In its own process group, so that signals from the terminal do not reach it.
  const watch = spawn(process.execPath, [file, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watch.unref();
  // The watcher itself may have been killed.
  watch.stdin.on('error', () => undefined);
  return (/** @type {string} */ line) => void watch.stdin.write(`${line}\n`);
}

/** @param {string} [prefix] @returns {Ground} removed when this process ends, however it ends */
export function openGround(prefix = 'kaya-deploy-') {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  const tellWatcher = watchOver(folder);
  /** @type {(() => void)[]} */
  const ends = [];
  process.on('exit', () => {
    for (const end of ends.reverse()) {
      try {
        end();
      } catch (error) {
        // Keep ending the others.
        process.stderr.write(`${error}\n`);
      }
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => process.exit(1));
  }
  return {
    folder,
    onEnd: (end) => void ends.push(end),
    own(child, { signal, isGroup = false }) {
      // A failed spawn has no pid.
      if (child.pid === undefined) return;
      const pid = isGroup ? -child.pid : child.pid;
      const end = () => {
        try {
          process.kill(pid, signal);
        } catch {
          // Already gone.
        }
      };
      let isGone = false;
      tellWatcher(`${pid}`);
      child.once('exit', () => {
        // The group's leader may have left children behind.
        if (isGroup) end();
        isGone = true;
        tellWatcher(`gone ${pid}`);
      });
      ends.push(() => {
        if (!isGone) end();
      });
    },
  };
}

/** The path of a program, installed from Debian if missing and permitted.
 * @param {string} program @param {string} debianPackage @returns {string} */
export function needProgram(program, debianPackage) {
  const find = () => {
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };
    const found = spawnSync('sh', ['-c', `command -v ${program}`], { env, encoding: 'utf8' });
    return found.stdout.trim();
  };
  if (find() === '') {
    process.stderr.write(`Installing ${debianPackage} for ${program}…\n`);
    installFromDebian([debianPackage]);
  }
  const found = find();
  if (found === '') throw new Error(`${program} not found. Install it and try again.`);
  return found;
}

/** Runs a program; returns its stdout. Throws on a non-zero exit code.
 * @param {string} program @param {string[]} args @param {import('node:child_process').SpawnSyncOptions} [how] */
export function run(program, args, how = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...how, encoding: 'utf8' });
  if (status === 0) return `${stdout}`;
  const name = [path.basename(program), ...args].join(' ');
  throw new Error(`${name} ended with ${error?.message ?? status}: ${stderr}${stdout}`);
}
