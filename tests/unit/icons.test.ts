/** Images for phones and browsers: present, with their declared size. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Icon {
  src: string;
  sizes: string;
  type: string;
  purpose: string;
}

interface Screenshot {
  src: string;
  sizes: string;
  form_factor: string;
  label: string;
}

interface Shortcut {
  name: string;
  url: string;
  icons: Icon[];
}

const manifest: { icons: Icon[]; screenshots: Screenshot[]; shortcuts: Shortcut[] } = JSON.parse(
  readFileSync('manifest.webmanifest', 'utf8'),
);
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

describe('manifest icons', () => {
  it.each(pngs)('$src is $sizes', ({ src, sizes }) => {
    expect(headerOf(read(src)).size).toBe(sizes);
  });

  it('include all kinds launchers use', () => {
    const listed = pngs.map(({ purpose, sizes }) => `${purpose} ${sizes}`);
    expect(listed).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 192x192',
      'maskable 512x512',
      'monochrome 512x512',
    ]);
  });

  it('are opaque where a launcher crops them', () => {
    for (const { src, purpose } of pngs) {
      if (purpose === 'maskable') expect(headerOf(read(src)).hasAlpha, src).toBe(false);
      if (purpose === 'monochrome') expect(headerOf(read(src)).hasAlpha, src).toBe(true);
    }
  });
});

describe('manifest shortcuts', () => {
  it('lead to the main tasks', () => {
    expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
      ['Create package', '/new-package'],
      ['Pending', '/delivery/pending'],
      ['Changes', '/outbox'],
    ]);
  });

  it.each(manifest.shortcuts)('$name has icons in launcher sizes', ({ icons }) => {
    expect(icons.map(({ sizes }) => sizes)).toEqual(['96x96', '192x192']);
    for (const { src, sizes } of icons) {
      expect(headerOf(read(src)), src).toEqual({ size: sizes, hasAlpha: false });
    }
  });
});

describe('manifest screenshots', () => {
  it.each(manifest.screenshots)('$src is $sizes', ({ src, sizes }) => {
    expect(headerOf(read(src)).size).toBe(sizes);
  });
});

describe('page icons', () => {
  it('include the opaque 180 px icon for iOS', () => {
    expect(page).toContain('rel="apple-touch-icon" href="/icons/apple-touch-icon.png"');
    expect(headerOf(read('/icons/apple-touch-icon.png'))).toEqual({
      size: '180x180',
      hasAlpha: false,
    });
  });
});
