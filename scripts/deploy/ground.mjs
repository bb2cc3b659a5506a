// @ts-check
// What a check stands on: one temporary folder, and a list of what has to be ended. Clearing does
// nothing that has to be waited for, so that a signal or an uncaught error can do it too; where the
// check itself is killed, a watcher does it.
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
 *   ends it by that signal, or all of its group (one that was spawned as `detached` leads one)
 */

/** @param {string} folder */
function watchOver(folder) {
  const file = fileURLToPath(new URL('./watch.mjs', import.meta.url));
  // In a group of its own: what a terminal sends to all of ours is not meant for it.
  const watch = spawn(process.execPath, [file, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watch.unref();
  // Where the watcher itself has been ended, there is none.
  watch.stdin.on('error', () => undefined);
  return (/** @type {string} */ line) => void watch.stdin.write(`${line}\n`);
}

/** @param {string} [prefix] @returns {Ground} cleared when this process ends, in whatever way */
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
        // The others are to be ended all the same.
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
      // One that could not be begun has no number.
      if (child.pid === undefined) return;
      const pid = isGroup ? -child.pid : child.pid;
      const end = () => {
        try {
          process.kill(pid, signal);
        } catch {
          // Nobody is left.
        }
      };
      let isGone = false;
      tellWatcher(`${pid}`);
      child.once('exit', () => {
        // Who led a group may have left somebody behind.
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

/** The path of a program, installed where it is not there and that can be done.
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
  if (found === '') throw new Error(`There is no ${program} here. Install it and try again.`);
  return found;
}

/** Runs a program to its end; what it printed. Throws where it ends with another code than 0.
 * @param {string} program @param {string[]} args @param {import('node:child_process').SpawnSyncOptions} [how] */
export function run(program, args, how = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...how, encoding: 'utf8' });
  if (status === 0) return `${stdout}`;
  const name = [path.basename(program), ...args].join(' ');
  throw new Error(`${name} ended with ${error?.message ?? status}: ${stderr}${stdout}`);
}
