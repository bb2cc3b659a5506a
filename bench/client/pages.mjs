// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from '#bench/build.mjs';
import { say } from '#bench/report.mjs';
import { root } from '#server/commands/prepare.mjs';

/** Builds the pages of the engine and its peers, which are installed in their own package. */
export function buildPages() {
  const peers = path.join(root, 'bench/peers');
  if (!existsSync(path.join(peers, 'node_modules'))) {
    say('Installing the peers…');
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status } = spawnSync('npm', args, { cwd: peers, stdio: 'inherit' });
    if (status !== 0) throw new Error(`Installing the peers ended with ${status}.`);
  }
  build('Building the pages of the bench', 'bench/client/vite.config.ts');
}
