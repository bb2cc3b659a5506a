// @ts-check
// Kaya's server, empty except for a courier, and a server for the pages beside it, with the same
// compression and headers.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { serve, types } from '#bench/serve.mjs';
import { root } from '#server/commands/prepare.mjs';

/** @typedef {{ url: string, stop(): Promise<void> }} Served */

export const courier = { email: 'courier@kaya.test', password: 'a-good-password' };

/** @param {string} url @returns {(method: string, at: string, body: object, token?: string) => Promise<any>} */
export const callsTo =
  (url) =>
  async (method, at, body, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}${at}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };

/**
 * Signs someone up, with the name that the app would ask for first.
 * @param {string} url @param {{ email: string, password: string, role: string }} account
 * @param {string} firstName
 */
export async function join(url, account, firstName) {
  const call = callsTo(url);
  const { accessToken, user } = await call('POST', '/api/auth/signup', account);
  const name = { firstName, lastName: 'Sule', phoneNumber: '0803 123 4567' };
  const profile = { id: user._id, email: account.email, ...name };
  await call('PATCH', '/api/users', profile, accessToken);
  return { id: user._id, token: accessToken };
}

/** @returns {Promise<Served>} */
export async function startKaya() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kaya-bench-page-'));
  const child = spawn(process.execPath, [path.join(root, 'dist/server/main.js')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: folder,
      TILE_URL: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = await new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const ready = /Kaya is ready at (\S+)/.exec(printed)?.[1];
      if (ready) resolve(ready);
    });
    void ended.then((code) => reject(new Error(`The server ended with ${code}.`)));
  });
  await join(url, { ...courier, role: 'Employee' }, 'Ladi');
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every file of a folder by its URL path, compressed. @param {string} folder */
function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && path.extname(entry.name) in types);
  return files.map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return /** @type {const} */ ([`/${path.relative(folder, file)}`, readFileSync(file)]);
  });
}

/** A service worker that caches and serves these. @param {readonly string[]} addresses */
function workerOf(addresses) {
  return `
    const kept = caches.open('bare');
    self.addEventListener('install', (event) => {
      event.waitUntil(kept.then((cache) => cache.addAll(${JSON.stringify(addresses)})));
    });
    self.addEventListener('fetch', (event) => {
      event.respondWith(kept.then((cache) => cache.match(event.request)).then((found) => found ?? fetch(event.request)));
    });`;
}

/** The splash of Kaya's page with its own styles: no script, no stylesheet, no icon. */
function splashPage() {
  const page = readFileSync(path.join(root, 'dist/web/index.html'), 'utf8');
  const splash = /<main class="boot">[\s\S]*?<\/main>/.exec(page)?.[0];
  const style = page.match(/<style>[\s\S]*?<\/style>/g)?.find((each) => /\.boot\b/.test(each));
  if (!splash || !style) throw new Error('index.html has no splash with inline styles.');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />
    <title>Kaya</title>
    ${style}
  </head>
  <body>
    <div id="root">${splash}</div>
  </body>
</html>
`;
}

/** What the server sends with its own page, except what describes that file. @param {string} url */
async function pageHeaders(url) {
  const { headers } = await fetch(`${url}/auth`, { method: 'HEAD' });
  const ofThatFile =
    /^(content-(type|length|encoding)|etag|last-modified|date|connection|keep-alive)$/;
  return Object.fromEntries([...headers].filter(([name]) => !ofThatFile.test(name)));
}

/**
 * Kaya's splash as a page of its own (`/static.html`), with the headers of Kaya's page at `url`, and
 * the bare page (`/bare.html`). `/bare-worker.js` caches both.
 * @param {string} url @returns {Promise<Served>}
 */
export async function startPeers(url) {
  const still = '/static.html';
  const stillHeaders = await pageHeaders(url);
  const bare = filesOf(path.join(root, 'dist/bench-page'));
  const cached = [still, ...bare.map(([address]) => address)];
  const known = new Map([
    ...bare,
    ['/bare-worker.js', Buffer.from(workerOf(cached))],
    [still, Buffer.from(splashPage())],
  ]);
  /** @type {Map<string, Buffer>} */
  const compressed = new Map();
  for (const [address, body] of known) compressed.set(address, brotliCompressSync(body));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const body = compressed.get(pathname);
    const type = types[path.extname(pathname)] ?? 'text/plain';
    const more = pathname === still ? stillHeaders : {};
    const headers = { ...more, 'content-type': type, 'content-encoding': 'br' };
    response.writeHead(body ? 200 : 404, body ? headers : {});
    response.end(body);
  });
  return serve(server);
}
