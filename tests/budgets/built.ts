/** What the build made, weighed as a phone fetches it. Sizes in bytes, gzip at its best. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

export const built = path.resolve('dist/web');

/** `file` is relative to the built folder, with or without a slash before it. */
export function gzipSize(file: string): number {
  return gzipSync(readFileSync(path.join(built, file)), { level: 9 }).length;
}

export const weigh = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSize(file), 0);

/** The files of a kind, 'css' or 'js', that the page may ask for. */
export const filesOf = (extension: string): string[] =>
  readdirSync(path.join(built, 'assets'))
    .filter((file) => file.endsWith(`.${extension}`))
    .map((file) => `assets/${file}`);

/** Only what shows the map: the library, and what is made for it. */
export const isOfTheMap = (file: string): boolean => /\/(maplibre-gl|kaya-map|map)-/.test(file);

/** What the worker fetches when it is installed. */
export function precached(): string[] {
  if (!existsSync(built)) throw new Error('Nothing is built. Run `npm run build` first.');
  const worker = readFileSync(path.join(built, 'sw.js'), 'utf8');
  const found = [...worker.matchAll(/"?url"?:\s*"([^"]+)"/g)].map(([, url]) => url ?? '');
  return [...new Set(found)];
}
