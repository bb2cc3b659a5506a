import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { wordsFor } from '#server/modules/tracking/words.ts';
import { fileStage } from './stage.ts';

const webFolder = mkdtempSync(path.join(tmpdir(), 'kaya-web-'));
mkdirSync(path.join(webFolder, 'assets'));
const files = {
  'index.html': '<!doctype html><title>Kaya</title><script>begin()</script>',
  'sw.js': '// worker',
  'manifest.webmanifest': '{}',
  'assets/main-abc123.js': '// app',
  'assets/main-abc123.js.map': '{}',
  'sw.js.map': '{}',
};
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(webFolder, name), text);
// The build's files; the worker has only a gzip.
const compressed = ['index.html', 'manifest.webmanifest', 'assets/main-abc123.js'] as const;
for (const name of compressed) {
  writeFileSync(path.join(webFolder, `${name}.br`), brotliCompressSync(files[name]));
}
for (const name of [...compressed, 'sw.js'] as const) {
  writeFileSync(path.join(webFolder, `${name}.gz`), gzipSync(files[name]));
}
afterAll(() => rmSync(webFolder, { recursive: true }));

const tiles = 'https://{s}.tiles.example.ng/{z}/{x}/{y}.png';
const tileHosts = ['a', 'b', 'c'].map((letter) => `https://${letter}.tiles.example.ng`);
const stage = fileStage({ TILE_URL: tiles, TILE_ATTRIBUTION: '© Kano' }, webFolder);
const html = { accept: 'text/html,application/xhtml+xml' };

describe('the PWA', () => {
  it.each([
    '/',
    '/auth',
    '/delivery/pending',
    '/package-detail/42',
    '/no/such/screen?x=1',
  ])('opens at %s, revalidated each time', async (url) => {
    const answer = await stage().send(null, 'GET', url, { headers: html });
    expect([answer.status, answer.text]).toEqual([200, files['index.html']]);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  it.each(['/sw.js', '/manifest.webmanifest', '/index.html'])('revalidates %s', async (url) => {
    const answer = await stage().send(null, 'GET', url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  it.each([
    ...['/assets/main-gone.js', '/main.js.map', '/favicon.ico', '/../server.lock', '/.env'],
    ...['/metrics', '/api/unknown', '/%61pi/unknown'],
  ])('never answers HTML for a missing file or route: %s', async (url) => {
    const answer = await stage().send(null, 'GET', url, { headers: html });
    expect([answer.status, answer.text.includes('<')]).toEqual([404, false]);
  });

  it.each([
    ['no hexadecimal', '/package-detail/%zz'],
    ['no UTF-8', '/edit-package/%C3%28'],
    ['not of the app', '/sandbox/checkout/%'],
    ['too long', `/package-detail/${'a'.repeat(3000)}`],
  ])('says on a page that an address leads nowhere: %s', async (_, url) => {
    const { status, headers, text } = await stage().send(null, 'GET', url, { headers: html });
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain(wordsFor('en').problems.unknown.title);
  });

  it.each([
    '/api/packages/%zz',
    '/%61pi/%zz',
    '/assets/%zz.js',
    '/api/users/%',
  ])('answers as ever what is no page: %s', async (url) => {
    const { status, body } = await stage().send(null, 'GET', url, { headers: html });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it('rejects a path of many dots promptly', async () => {
    for (const path of [`/${'.'.repeat(100_000)}/`, `/${'a'.repeat(100_000)}`]) {
      const beganAt = performance.now();
      const { status } = await stage().send(null, 'GET', path, { headers: html });
      expect(status).toBe(404);
      expect(performance.now() - beganAt).toBeLessThan(1000);
    }
    const dotted = await stage().send(null, 'GET', '/v1.0/screen', { headers: html });
    expect(dotted.text).toBe(files['index.html']);
  });
});

describe('source maps', () => {
  const maps = ['/sw.js.map', '/assets/main-abc123.js.map', '/assets/main-abc123.js%2emap'];

  it('are served in development', async () => {
    for (const url of maps) expect((await stage().send(null, 'GET', url)).status).toBe(200);
  });

  it('are not served in production', async () => {
    const live = await stage().another({
      environment: {
        NODE_ENV: 'production',
        RATE_LIMIT: 'on',
        PAYMENTS: 'sandbox',
        PUBLIC_URL: 'https://kaya.example',
      },
    });
    for (const url of maps) {
      const { status, body } = await live.send(null, 'GET', url);
      expect([url, status, body.code]).toEqual([url, 404, 'not_found']);
    }
    expect((await live.send(null, 'GET', '/assets/main-abc123.js')).status).toBe(200);
  });
});

describe('a range request', () => {
  const url = '/assets/main-abc123.js';
  const file = files['assets/main-abc123.js'];

  it('returns only the part', async () => {
    const answer = await stage().send(null, 'GET', url, { headers: { range: 'bytes=0-1' } });
    expect([answer.status, answer.text]).toEqual([206, file.slice(0, 2)]);
  });

  it.each([url, '/', '/auth'])('beyond the end is refused with the length: %s', async (path) => {
    const range = 'bytes=999999999-';
    const answer = await stage().send(null, 'GET', path, { headers: { ...html, range } });
    expect([answer.status, answer.body.code]).toEqual([416, 'range_not_satisfiable']);
    const { length } = path === url ? file : files['index.html'];
    expect(answer.headers['content-range']).toBe(`bytes */${length}`);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('for another version is refused', async () => {
    const headers = { 'if-match': '"zz"' };
    const answer = await stage().send(null, 'GET', url, { headers });
    expect([answer.status, answer.body.code]).toEqual([412, 'precondition_failed']);
    expect(answer.headers['content-range']).toBe(undefined);
  });
});

describe('a precompressed file', () => {
  const everything = 'gzip, deflate, br, zstd';
  const types = {
    '/': /^text\/html/,
    '/delivery/pending': /^text\/html/,
    '/sw.js': /javascript/,
    '/manifest.webmanifest': /manifest\+json/,
    '/assets/main-abc123.js': /javascript/,
  };
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

  function textOf(url: string): string {
    const name = url.slice(1);
    return Object.hasOwn(files, name) ? files[name as keyof typeof files] : files['index.html'];
  }

  async function fetched(url: string, encodings: string | undefined, more = {}) {
    const accept = encodings === undefined ? {} : { 'accept-encoding': encodings };
    return stage().app.inject({ method: 'GET', url, headers: { ...html, ...accept, ...more } });
  }

  it.each(Object.entries(types))('is sent as brotli with its own type: %s', async (url, type) => {
    const answer = await fetched(url, everything);
    const encoding = url === '/sw.js' ? 'gzip' : 'br';
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(decoders[encoding](answer.rawPayload).toString()).toBe(textOf(url));
    expect(answer.headers['content-type']).toMatch(type);
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    expect(answer.headers['cache-control']).toBe(
      url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  });

  it.each(
    Object.keys(types),
  )('is sent as gzip or uncompressed to other clients: %s', async (url) => {
    const gzipped = await fetched(url, 'gzip, deflate');
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(textOf(url));
    for (const encodings of [undefined, 'identity', 'br;q=0, gzip;q=0']) {
      const plain = await fetched(url, encodings);
      expect([encodings, plain.headers['content-encoding']]).toEqual([encodings, undefined]);
      expect(plain.payload).toBe(textOf(url));
    }
  });

  it.each(
    Object.keys(types),
  )('is not resent on a match, and has Vary for shared caches: %s', async (url) => {
    const tags = await Promise.all(
      [undefined, 'gzip', everything].map(async (encodings) => {
        const first = await fetched(url, encodings);
        expect(first.headers.vary).toMatch(/\baccept-encoding\b/i);
        const etag = String(first.headers.etag);
        const again = await fetched(url, encodings, { 'if-none-match': etag });
        expect([again.statusCode, again.payload]).toEqual([304, '']);
        expect(again.headers.vary).toMatch(/\baccept-encoding\b/i);
        return etag;
      }),
    );
    // A cache must not confuse the two.
    expect(new Set(tags).size).toBe(url === '/sw.js' ? 2 : 3);
  });
});

describe('headers', () => {
  it('isolate the page and allow the tile source', async () => {
    const { headers } = await stage().send(null, 'GET', '/', { headers: html });
    expect(String(headers['content-security-policy']).split(';')).toEqual([
      "default-src 'self'",
      // The hash of 'begin()', the only inline script.
      "script-src 'self' 'sha256-15S4FGE7rP6kq/PzA1uIhN3+8zfaO6/TnJp4fMWo7lE='",
      "worker-src 'self' blob:",
      `connect-src 'self' ${tileHosts.join(' ')}`,
      `img-src 'self' data: blob: ${tileHosts.join(' ')}`,
      "style-src 'self' 'unsafe-inline'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types default inert worker',
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('allow the worker any tile source, since it keeps its policy while its bytes are unchanged', async () => {
    const { headers } = await stage().send(null, 'GET', '/sw.js');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; connect-src *",
    );
  });

  it('forbid caching of API answers', async () => {
    for (const url of [
      ...['/api/users', '/api/unknown', '/%61pi/users', '/%61pi/unknown', '/api/users#x'],
      ...['http://kaya.test/api/users', 'http://kaya.test/%61pi/unknown'],
    ]) {
      const { headers } = await stage().send(null, 'GET', url);
      expect([url, headers['cache-control']]).toEqual([url, 'no-store']);
    }
  });
});

it('deployment settings reach the page through /config.json', async () => {
  const { body, headers } = await stage().send<object>(null, 'GET', '/config.json');
  expect(body).toMatchObject({
    name: 'Kaya',
    map: {
      tiles: { url: tiles, attribution: '© Kano', maxZoom: 19 },
      style: null,
      sources: tileHosts,
      centre: { lat: 12.0022, lng: 8.5919 },
      zoom: 13,
    },
  });
  expect(headers['cache-control']).toBe('no-cache');
});
