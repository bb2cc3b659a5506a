import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileStage, goodPassword, packageBody } from './stage.ts';

const webFolder = mkdtempSync(path.join(tmpdir(), 'kaya-web-'));
mkdirSync(path.join(webFolder, 'assets'));
const files = {
  'index.html': '<!doctype html><title>Kaya</title><script>begin()</script>',
  'sw.js': '// worker',
  'manifest.webmanifest': '{}',
  'assets/main-abc123.js': '// app',
};
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(webFolder, name), text);
afterAll(() => rmSync(webFolder, { recursive: true }));

const tiles = 'https://{s}.tiles.example.ng/{z}/{x}/{y}.png';
const stage = fileStage({ TILE_URL: tiles, TILE_ATTRIBUTION: '© Kano' }, webFolder);
const html = { accept: 'text/html,application/xhtml+xml' };

describe('the PWA', () => {
  it.each([
    '/',
    '/auth',
    '/delivery/pending',
    '/package-detail/42',
    '/no/such/screen?x=1',
  ])('opens at %s, asked for again each time', async (url) => {
    const answer = await stage().send(null, 'GET', url, { headers: html });
    expect([answer.status, answer.text]).toEqual([200, files['index.html']]);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  it.each(['/sw.js', '/manifest.webmanifest', '/index.html'])('asks again for %s', async (url) => {
    const answer = await stage().send(null, 'GET', url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  it('keeps hashed assets for ever', async () => {
    const answer = await stage().send(null, 'GET', '/assets/main-abc123.js');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-type']).toMatch(/javascript/);
  });

  it.each([
    '/assets/main-gone.js',
    '/main.js.map',
    '/favicon.ico',
    '/../server.lock',
    '/.env',
  ])('never answers HTML for a missing file: %s', async (url) => {
    const answer = await stage().send(null, 'GET', url, { headers: html });
    expect([answer.status, answer.text.includes('<')]).toEqual([404, false]);
  });

  it('opens no screen at a path of many dots, and says so at once', async () => {
    for (const path of [`/${'.'.repeat(100_000)}/`, `/${'a'.repeat(100_000)}`]) {
      const beganAt = performance.now();
      const { status } = await stage().send(null, 'GET', path, { headers: html });
      expect(status).toBe(404);
      expect(performance.now() - beganAt).toBeLessThan(1000);
    }
    const dotted = await stage().send(null, 'GET', '/v1.0/screen', { headers: html });
    expect(dotted.text).toBe(files['index.html']);
  });

  it.each([
    '/api/packages/nothing',
    '/api/unknown',
    '/%61pi/unknown',
  ])('never answers HTML for %s', async (url) => {
    const answer = await stage().send(null, 'GET', url, { headers: html });
    expect(answer.text).not.toContain('<');
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});

describe('headers', () => {
  it('keep the page to itself and follow the tile source', async () => {
    const { headers } = await stage().send(null, 'GET', '/', { headers: html });
    expect(String(headers['content-security-policy']).split(';')).toEqual([
      "default-src 'self'",
      // That of 'begin()', the one script that stands in the page itself.
      "script-src 'self' 'sha256-15S4FGE7rP6kq/PzA1uIhN3+8zfaO6/TnJp4fMWo7lE='",
      "worker-src 'self'",
      "connect-src 'self' https://*.tiles.example.ng",
      "img-src 'self' data: blob: https://*.tiles.example.ng",
      "style-src 'self' 'unsafe-inline'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('keep every answer of the API out of caches', async () => {
    for (const url of [
      ...['/api/users', '/api/unknown', '/%61pi/users', '/%61pi/unknown', '/api/users#x'],
      ...['http://kaya.test/api/users', 'http://kaya.test/%61pi/unknown'],
    ]) {
      const { headers } = await stage().send(null, 'GET', url);
      expect([url, headers['cache-control']]).toEqual([url, 'no-store']);
    }
  });
});

describe('what a deployment asks for', () => {
  it('/config.json tells the page where its tiles are', async () => {
    const { body, headers } = await stage().send<object>(null, 'GET', '/config.json');
    expect(body).toMatchObject({
      name: 'Kaya',
      map: {
        tiles: { url: tiles, attribution: '© Kano', maxZoom: 19 },
        centre: { lat: 12.0022, lng: 8.5919 },
        zoom: 13,
      },
    });
    expect(headers['cache-control']).toBe('no-cache');
  });

  it.each(['/healthz', '/readyz'])('%s answers', async (url) => {
    expect((await stage().send(null, 'GET', url)).status).toBe(200);
  });
});

describe('the log', () => {
  it('says what was asked and how it ended, and nothing of whom or with what', async () => {
    const sender = await stage().person('Customer');
    const secrets = [sender.email, sender.token, goodPassword, sender.cookie.split('=')[1] ?? ''];
    const from = stage().logs.length;
    await stage().signIn(sender.email);
    await stage().send(sender, 'GET', `/api/packages?email=${sender.email}`);
    await stage().send(sender, 'POST', '/api/packages', { body: packageBody() });
    await stage().send(null, 'GET', '/api/auth/refresh', { headers: { cookie: sender.cookie } });
    const lines = stage().logs.slice(from);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        route: '/api/packages',
        status: 201,
        ms: expect.any(Number),
        reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    );
    const text = lines.join('');
    for (const secret of [...secrets, 'email', 'musa', 'Bearer', 'kaya_refresh', 'Musa Ibrahim']) {
      expect(text, secret).not.toContain(secret);
    }
  });
});
