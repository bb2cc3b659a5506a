// @ts-check
// npm run icons: renders public/icons/*.svg to the sizes listed in manifest.webmanifest and
// index.html.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { root } from '#server/commands/prepare.mjs';
import { ensureBrowser } from '#tests/browser.mjs';

const folder = path.join(root, 'public/icons');

/** @type {[source: string, target: string, sidePx: number][]} */
const icons = [
  ['mark.svg', 'icon-192.png', 192],
  ['mark.svg', 'icon-512.png', 512],
  ['maskable.svg', 'maskable-192.png', 192],
  ['maskable.svg', 'maskable-512.png', 512],
  ['monochrome.svg', 'monochrome-512.png', 512],
  // iOS rounds the corners itself and fills transparency with black.
  ['maskable.svg', 'apple-touch-icon.png', 180],
  ['shortcut-create.svg', 'shortcut-create-96.png', 96],
  ['shortcut-create.svg', 'shortcut-create-192.png', 192],
  ['shortcut-pending.svg', 'shortcut-pending-96.png', 96],
  ['shortcut-pending.svg', 'shortcut-pending-192.png', 192],
  ['shortcut-changes.svg', 'shortcut-changes-96.png', 96],
  ['shortcut-changes.svg', 'shortcut-changes-192.png', 192],
];
const faviconSides = [16, 32, 48];

/** An .ico of PNGs: a table of contents, then the files as they are. @param {Buffer[]} pngs */
function icoOf(pngs) {
  const head = Buffer.alloc(6 + 16 * pngs.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pngs.length, 4);
  let offset = head.length;
  for (const [index, png] of pngs.entries()) {
    const at = 6 + 16 * index;
    const side = faviconSides[index] ?? 0;
    head.writeUInt8(side, at);
    head.writeUInt8(side, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pngs]);
}

const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();

/** @param {string} source @param {number} side px */
async function render(source, side) {
  const svg = readFileSync(path.join(folder, source), 'utf8');
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

for (const [source, target, side] of icons) {
  writeFileSync(path.join(folder, target), await render(source, side));
}
const small = [];
for (const side of faviconSides) small.push(await render('mark.svg', side));
writeFileSync(path.join(root, 'public/favicon.ico'), icoOf(small));
await browser.close();
