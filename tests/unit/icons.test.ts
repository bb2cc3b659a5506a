/** The pictures that phones and browsers ask for: there, of the size they are said to have. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bestPictures, fileOf } from '#scripts/screenshots/best.ts';

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

/** Of a PNG's own header (RFC 2083, 4.1.1): width, height, and whether it has an alpha channel. */
function headerOf(png: Buffer) {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return {
    size: `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`,
    hasAlpha: [4, 6].includes(png.readUInt8(25)),
  };
}

const pngs = manifest.icons.filter(({ type }) => type === 'image/png');

describe('the icons of the manifest', () => {
  it.each(pngs)('$src is $sizes', ({ src, sizes }) => {
    expect(headerOf(read(src)).size).toBe(sizes);
  });

  it('are all that launchers ask for', () => {
    const listed = pngs.map(({ purpose, sizes }) => `${purpose} ${sizes}`);
    expect(listed).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 192x192',
      'maskable 512x512',
      'monochrome 512x512',
    ]);
  });

  it('leave nothing see-through where a launcher cuts its own shape', () => {
    for (const { src, purpose } of pngs) {
      if (purpose === 'maskable') expect(headerOf(read(src)).hasAlpha, src).toBe(false);
      if (purpose === 'monochrome') expect(headerOf(read(src)).hasAlpha, src).toBe(true);
    }
  });
});

describe('the shortcuts of the manifest', () => {
  it('lead to what people open the app for', () => {
    expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
      ['Create package', '/new-package'],
      ['Pending', '/delivery/pending'],
      ['Changes', '/outbox'],
    ]);
  });

  it.each(manifest.shortcuts)('$name has pictures of the sizes that launchers take', ({
    icons,
  }) => {
    expect(icons.map(({ sizes }) => sizes)).toEqual(['96x96', '192x192']);
    for (const { src, sizes } of icons) {
      expect(headerOf(read(src)), src).toEqual({ size: sizes, hasAlpha: false });
    }
  });
});

describe('the screenshots of the manifest', () => {
  it.each(manifest.screenshots)('$src is $sizes', ({ src, sizes }) => {
    expect(headerOf(read(src)).size).toBe(sizes);
  });

  it('are those of the shop window, in its order', () => {
    expect(manifest.screenshots.map(({ src, sizes, label }) => ({ src, sizes, label }))).toEqual(
      bestPictures.map((picture) => ({
        src: `/screenshots/${fileOf(picture)}`,
        sizes: picture.size,
        label: picture.label,
      })),
    );
    const factors = manifest.screenshots.map(({ form_factor }) => form_factor);
    expect(new Set(factors)).toEqual(new Set(['narrow', 'wide']));
  });
});

describe('the icons of the page', () => {
  it('has the 180 px that iOS puts on its home screen, without see-through corners', () => {
    expect(page).toContain('rel="apple-touch-icon" href="/icons/apple-touch-icon.png"');
    expect(headerOf(read('/icons/apple-touch-icon.png'))).toEqual({
      size: '180x180',
      hasAlpha: false,
    });
  });

  it('has a favicon for browsers that read no SVG, in three sizes', () => {
    expect(page).toContain('href="/favicon.ico"');
    expect(page).toContain('href="/icons/mark.svg"');
    const ico = read('/favicon.ico');
    const count = ico.readUInt16LE(4);
    const sizes = Array.from({ length: count }, (_, index) => {
      const at = 6 + 16 * index;
      const start = ico.readUInt32LE(at + 12);
      return headerOf(ico.subarray(start, start + ico.readUInt32LE(at + 8))).size;
    });
    expect(sizes).toEqual(['16x16', '32x32', '48x48']);
  });
});

describe('the first paint', () => {
  it('is the splash, with the wordmark as the app draws it, whatever is fetched', () => {
    const letters = readFileSync('src/ui/wordmark.tsx', 'utf8').matchAll(/ d="([^"]+)"/g);
    const drawn = [...letters].map(([, path]) => path ?? '');
    expect(drawn.length).toBeGreaterThan(5);
    const wordmark = readFileSync('public/icons/wordmark.svg', 'utf8');
    for (const path of drawn) {
      expect(page).toContain(`"${path}"`);
      expect(wordmark).toContain(`"${path}"`);
    }
    expect(page).toContain('Your ride to faster deliveries');
    expect(page).toContain('Fast • Reliable • Secure');
    // The one that notices what does not come, before anything is fetched.
    const inline = [...page.matchAll(/<script(?![^>]* src=)/g)].map(({ index }) => index);
    expect(inline).toHaveLength(1);
    expect(page.slice(0, inline[0])).not.toMatch(/<script|<link rel="(stylesheet|modulepreload)"/);
  });

  it('begins in the colour that the manifest and the phone bars have', () => {
    const { background_color: ground } = JSON.parse(readFileSync('manifest.webmanifest', 'utf8'));
    expect(page).toContain(`background: ${ground};`);
    expect(page).toContain(`name="theme-color" content="${ground}"`);
    expect(readFileSync('src/ui/tokens.css', 'utf8')).toContain(`--brand: ${ground};`);
  });
});
