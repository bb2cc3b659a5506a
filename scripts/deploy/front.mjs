// @ts-check
// Checks what nginx adds, passes on and blocks.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '#server/commands/prepare.mjs';
import { insist } from './report.mjs';

/** @typedef {import('./site.mjs').Site} Site */

const hsts = 'max-age=15552000';
const phone = { 'accept-encoding': 'gzip, deflate, br' };
const html = { ...phone, accept: 'text/html' };

/** @param {Site} site @param {number} httpPort @param {string} name */
export async function tls(site, httpPort, name) {
  const spoken = insist('handshake', await site.handshake(name), 'TLSv1.3 h2');
  const other = await site.handshake('somebody.else.test');
  if (!/unrecognized name/i.test(other)) throw new Error(`Accepted another name: ${other}`);
  const plain = await site.askPlain(httpPort, '/tracking?x=1', { headers: { host: name } });
  const { location } = plain.headers;
  insist('http', [plain.status, location], [308, `https://${name}/tracking?x=1`]);
  return `${spoken}; another name: no certificate; http: 308 to https`;
}

/** @param {Site} site */
export async function page(site) {
  const { status, headers, body } = await site.ask('GET', '/', { headers: html });
  insist('the page', [status, headers['cache-control']], [200, 'no-cache']);
  // Exactly one header, not one each from server and nginx.
  insist('HSTS', headers['strict-transport-security'], hsts);
  const policy = String(headers['content-security-policy']);
  if (!/script-src 'self' 'sha256-/.test(policy)) throw new Error(`The policy is '${policy}'`);
  insist('encoding', headers['content-encoding'], 'br');
  const built = (/** @type {string} */ file) => readFileSync(path.join(root, 'dist/web', file));
  if (!body.equals(built('index.html.br'))) throw new Error('The page was altered in transit.');

  const asset = /\/assets\/[\w.-]+\.js/.exec(String(built('index.html')))?.[0] ?? '';
  const script = await site.ask('GET', asset, { headers: phone });
  insist(
    asset,
    [script.headers['content-encoding'], script.headers['cache-control'], script.headers.vary],
    ['br', 'public, max-age=31536000, immutable', 'accept-encoding'],
  );
  if (!script.body.equals(built(`${asset.slice(1)}.br`))) throw new Error(`${asset} was altered.`);
  const again = await site.ask('GET', '/', {
    headers: { ...html, 'if-none-match': String(headers.etag) },
  });
  insist('the page again', again.status, 304);
  const worker = await site.ask('GET', '/sw.js', { headers: phone });
  insist('/sw.js', worker.headers['cache-control'], 'no-cache');
  return 'HSTS once, CSP with its hash, page no-cache with 304, assets immutable, both br as built';
}

/** @param {Site} site @param {string} token */
export async function calls(site, token) {
  const { headers, body } = await site.ask('GET', '/api/docs/openapi.json', { headers: phone });
  insist(
    'a call',
    [headers['content-encoding'], headers['cache-control'], headers['strict-transport-security']],
    ['gzip', 'no-store', hsts],
  );
  JSON.parse(String(gunzipSync(body)));
  const long = (/** @type {number} */ kB) =>
    site.ask('POST', '/api/packages', { token, body: { notes: 'x'.repeat(kB * 1024) } });
  const [server, nginx] = [await long(100), await long(300)];
  insist('100 kB', [server.status, JSON.parse(String(server.body)).code], [413, 'too_large']);
  insist('300 kB', [nginx.status, nginx.headers['strict-transport-security']], [413, hsts]);
  return 'gzip, no-store; 100 kB refused by the server, 300 kB by nginx';
}

/** @param {Site} site @param {import('pg').Client} database */
export async function addresses(site, database) {
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'evil.test' };
  const body = { email: 'nobody@kaya.test', password: 'a-good-password' };
  const { status } = await site.ask('POST', '/api/auth/login', {
    headers: forged,
    body,
    from: '127.0.0.2',
  });
  insist('an unknown account', status, 404);
  const { rows } = await database.query(
    `select key from rate_limits where key like 'login address %' and key not like '% 127.0.0.1'`,
  );
  const keys = rows.map(({ key }) => key);
  insist('whom the limits count', keys, ['login address 127.0.0.2']);
  return 'the caller counts by their own address, whatever they claim';
}
