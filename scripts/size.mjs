// @ts-check
// node scripts/size.mjs: lines and files by room, and after `npm run build` the size of the styles.
// Lines include comments and blank ones; migrations are not counted.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');

/** Tracked files below these folders whose names match. @param {string[]} folders @param {RegExp} pattern */
const filesIn = (folders, pattern) =>
  tracked.filter(
    (file) =>
      folders.some((folder) => file.startsWith(`${folder}/`)) &&
      pattern.test(file) &&
      !file.startsWith('server/migrations/'),
  );

/** @param {string[]} files */
const linesOf = (files) =>
  files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);

const assets = 'dist/web/assets';
/** @param {string[]} files */
const kilobytesOf = (files) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0) / 1000;

const product = ['src', 'sw', 'server'];
const code = /\.(ts|tsx|css)$/;
const anyScript = /\.(ts|tsx|mjs|js|css)$/;
/** @type {Record<string, number | string>} */
const rows = {
  'product, lines': linesOf(filesIn(product, code)),
  'of them styles': linesOf(filesIn(product, /\.css$/)),
  'tests, lines': linesOf(filesIn(['tests'], anyScript)),
  'bench and scripts, lines': linesOf(filesIn(['bench', 'scripts'], anyScript)),
};
for (const folder of [
  'src',
  'src/features',
  'src/package-ui',
  'src/sync',
  'server',
  'server/modules',
]) {
  rows[`${folder}, files`] = filesIn([folder], code).length;
}
try {
  const styles = readdirSync(assets).filter((file) => file.endsWith('.css'));
  rows['styles, kB gzip'] = kilobytesOf(styles.map((file) => path.join(assets, file))).toFixed(1);
} catch {
  rows['styles, kB gzip'] = 'nothing is built';
}
console.table(Object.fromEntries(Object.entries(rows).map(([name, value]) => [name, { value }])));
