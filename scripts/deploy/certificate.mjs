// @ts-check
// A certificate for one name, signed by a temporary authority.
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { needProgram, run } from './ground.mjs';

/**
 * @typedef {object} Certificate
 * @property {string} folder with fullchain.pem and privkey.pem, as nginx's template expects
 * @property {string} authority PEM of the authority
 * @property {string} spki hash of the public key for Chromium's trust list: pages on merely ignored
 *   certificate errors get no service worker
 */

/** @param {string} folder @param {string} name @returns {Certificate} */
export function makeCertificate(folder, name) {
  const openssl = needProgram('openssl', 'openssl');
  /** @param {string[]} args */
  const make = (...args) => run(openssl, args, { cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const week = ['-days', '7'];
  make(
    ...['req', '-x509', ...key, ...week, '-subj', '/CN=Kaya check authority'],
    ...['-keyout', 'authority.key', '-out', 'authority.pem'],
  );
  make('req', ...key, '-subj', `/CN=${name}`, '-keyout', 'privkey.pem', '-out', 'site.csr');
  writeFileSync(path.join(folder, 'names'), `subjectAltName=DNS:${name}\n`);
  make(
    ...['x509', '-req', '-in', 'site.csr', ...week, '-extfile', 'names', '-out', 'site.pem'],
    ...['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial'],
  );
  const read = (/** @type {string} */ file) => readFileSync(path.join(folder, file), 'utf8');
  const [site, authority] = [read('site.pem'), read('authority.pem')];
  writeFileSync(path.join(folder, 'fullchain.pem'), site + authority);
  const publicKey = new X509Certificate(site).publicKey.export({ type: 'spki', format: 'der' });
  const spki = createHash('sha256').update(publicKey).digest('base64');
  return { folder, authority, spki };
}
