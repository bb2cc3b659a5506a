// @ts-check
// Installs Debian packages the tests need, on Debian with sufficient rights.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether they could be installed. @param {string[]} packages @returns {boolean} */
export function installFromDebian(packages) {
  if (!existsSync('/usr/bin/apt-get')) return false;
  const isRoot = process.getuid?.() === 0;
  const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  const [command = '', ...before] = isRoot ? quiet : ['sudo', '-n', ...quiet];
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync(command, [...before, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  // Outdated lists may suffice.
  run('update', '-qq');
  return run('-qq', 'install', '-y', '--no-install-recommends', ...packages).status === 0;
}
