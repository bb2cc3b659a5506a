// @ts-check
// node compress.mjs FOLDER writes a brotli and a gzip file beside every text file, so that the
// server compresses nothing per request. Source maps are excluded: only developers fetch them.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

const texts = new Set(['.css', '.html', '.js', '.mjs', '.json', '.svg', '.webmanifest']);

const worthwhile = 0.9;

/** @param {Buffer} text */
const toBrotli = (text) =>
  promisify(brotliCompress)(text, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
      [zlib.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });

/** @param {Buffer} text */
const toGzip = (text) => promisify(gzip)(text, { level: zlib.Z_BEST_COMPRESSION });

const encodings = [
  { suffix: '.br', encode: toBrotli },
  { suffix: '.gz', encode: toGzip },
];

/** @param {string} file */
async function compress(file) {
  const text = await readFile(file);
  for (const { suffix, encode } of encodings) {
    const encoded = await encode(text);
    if (encoded.length <= text.length * worthwhile) await writeFile(file + suffix, encoded);
  }
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node compress.mjs FOLDER');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && texts.has(path.extname(entry.name)))
  .map((entry) => path.join(entry.parentPath, entry.name));
await Promise.all(files.map(compress));
