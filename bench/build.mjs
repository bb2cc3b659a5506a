// @ts-check
import path from 'node:path';
import { root, run } from '#server/commands/prepare.mjs';

/** Builds a part of the bench. @param {string} what @param {string} config @param {string[]} [more] */
export function build(what, config, more = []) {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  run(what, process.execPath, [vite, 'build', '--logLevel', 'warn', '--config', config, ...more]);
}
