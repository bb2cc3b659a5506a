// @ts-check
// node scripts/screenshots/sheet.mjs AFTER OUT [--before BEFORE]: contact sheets of a folder of
// screenshots, one WebP for each size and scheme, each scene beside itself in another folder.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { browserArgs, ensureBrowser } from '#tests/browser.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { before: { type: 'string', default: '' } },
});
const [after = 'screenshots', out = 'sheets'] = positionals;

/** 'sender-home-360x740-light.png': scene, size, scheme. */
const pattern = /^(.+)-(\d+x\d+)-(light|dark)\.png$/;

/**
 * Drawn by the browser, which can also encode WebP. Returns base64.
 * @param {{ name: string, pictures: (string | null)[] }[]} cells Data URLs, null where none was taken.
 */
async function draw(cells) {
  const caption = 16;
  const gap = 6;
  const sheetWidth = 2_000;
  /** @param {string | null} url */
  const load = async (url) => {
    if (!url) return null;
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  };
  const loaded = await Promise.all(
    cells.map(async ({ name, pictures }) => ({
      name,
      images: await Promise.all(pictures.map(load)),
    })),
  );
  const sample = loaded.flatMap(({ images }) => images).find((image) => image !== null);
  if (!sample) return '';
  const height = sample.naturalWidth < sample.naturalHeight ? 210 : 175;
  const width = Math.round((sample.naturalWidth / sample.naturalHeight) * height);
  const cellWidth = (loaded[0]?.images.length ?? 1) * (width + 2) + gap * 2;
  const perRow = Math.max(1, Math.floor(sheetWidth / cellWidth));
  const rows = Math.ceil(loaded.length / perRow);
  const canvas = new OffscreenCanvas(perRow * cellWidth, rows * (height + caption + gap));
  const pen = canvas.getContext('2d');
  if (!pen) return '';
  pen.fillStyle = '#808080';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#ffffff';
  pen.imageSmoothingQuality = 'high';
  for (const [at, { name, images }] of loaded.entries()) {
    const left = (at % perRow) * cellWidth + gap;
    const top = Math.floor(at / perRow) * (height + caption + gap);
    // A long name is smaller: where fillText() is given a width, it moves the text to the right.
    pen.font = '11px sans-serif';
    const fit = Math.min(1, (cellWidth - gap * 2) / pen.measureText(name).width);
    pen.font = `${11 * fit}px sans-serif`;
    pen.fillText(name, left, top + 12);
    for (const [place, image] of images.entries()) {
      if (image) pen.drawImage(image, left + place * (width + 2), top + caption, width, height);
    }
  }
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.5 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** @param {string} folder @param {string} file */
async function dataUrl(folder, file) {
  const bytes = await readFile(path.join(folder, file)).catch(() => null);
  return bytes && `data:image/png;base64,${bytes.toString('base64')}`;
}

const folders = values.before ? [values.before, after] : [after];
const files = [...new Set((await Promise.all(folders.map((folder) => readdir(folder)))).flat())];
/** @type {Map<string, Map<string, string>>} Sheet to scene to file. */
const sheets = new Map();
for (const file of files.sort()) {
  const [, scene = '', size = '', scheme = ''] = pattern.exec(file) ?? [];
  if (!scene) continue;
  const title = `${size}-${scheme}`;
  sheets.set(title, (sheets.get(title) ?? new Map()).set(scene, file));
}
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: browserArgs });
const page = await browser.newPage();
await mkdir(out, { recursive: true });
for (const [title, scenes] of sheets) {
  const cells = [];
  for (const [name, file] of scenes) {
    const pictures = await Promise.all(folders.map((folder) => dataUrl(folder, file)));
    cells.push({ name, pictures });
  }
  await writeFile(
    path.join(out, `${title}.webp`),
    Buffer.from(await page.evaluate(draw, cells), 'base64'),
  );
  process.stdout.write(`${title}.webp: ${cells.length} scenes\n`);
}
await browser.close();
