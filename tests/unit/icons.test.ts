/** Images for phones and browsers: present, with their declared size. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Icon {
  src: string;
  sizes: string;
  type: string;
  purpose: string;
}

interface Manifest {
  icons: Icon[];
  screenshots: Pick<Icon, 'src' | 'sizes'>[];
  shortcuts: { name: string; url: string; icons: Icon[] }[];
}

const manifest: Manifest = JSON.parse(readFileSync('manifest.webmanifest', 'utf8'));
const page = readFileSync('index.html', 'utf8');

const read = (src: string) => readFileSync(`public${src}`);

/** From the PNG header (RFC 2083, 4.1.1): width, height, and whether it has an alpha channel. */
function headerOf(png: Buffer) {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return {
    size: `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`,
    hasAlpha: [4, 6].includes(png.readUInt8(25)),
  };
}

const pngs = manifest.icons.filter(({ type }) => type === 'image/png');

describe('the manifest', () => {
  it.each([...pngs, ...manifest.screenshots])('$src is $sizes', ({ src, sizes }) => {
    expect(headerOf(read(src)).size).toBe(sizes);
  });

  it('has all kinds of icons that launchers use, opaque where one is cropped', () => {
    const listed = pngs.map(({ purpose, sizes, src }) => [
      purpose,
      sizes,
      headerOf(read(src)).hasAlpha,
    ]);
    expect(listed).toEqual([
      ['any', '192x192', expect.any(Boolean)],
      ['any', '512x512', expect.any(Boolean)],
      ['maskable', '192x192', false],
      ['maskable', '512x512', false],
      ['monochrome', '512x512', true],
    ]);
  });

  it('has shortcuts to the main tasks, with icons in launcher sizes', () => {
    expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
      ['Create package', '/new-package'],
      ['Pending', '/delivery/pending'],
      ['Changes', '/outbox'],
    ]);
    for (const { icons } of manifest.shortcuts) {
      expect(icons.map(({ sizes }) => sizes)).toEqual(['96x96', '192x192']);
      for (const { src, sizes } of icons) {
        expect(headerOf(read(src)), src).toEqual({ size: sizes, hasAlpha: false });
      }
    }
  });
});

it('the page has the opaque 180 px icon for iOS', () => {
  const src = '/icons/apple-touch-icon.png';
  expect(page).toContain(`rel="apple-touch-icon" href="${src}"`);
  expect(headerOf(read(src))).toEqual({ size: '180x180', hasAlpha: false });
});
