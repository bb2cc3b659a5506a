// @ts-check
// Checks for the operator: metrics, log lines, backup and restore.
import { readFileSync, statSync } from 'node:fs';
import { insist } from './report.mjs';

/** @typedef {import('./site.mjs').Site} Site */

/** @param {Site} site @param {number[]} ports @param {string} token */
export async function metrics(site, ports, token) {
  insist('at the site', (await site.ask('GET', '/metrics', { token })).status, 404);
  let created = 0;
  let streams = 0;
  for (const port of ports) {
    for (const wrong of [undefined, `${token.slice(1)}x`]) {
      const refused = await site.askPlain(port, '/metrics', wrong ? { token: wrong } : {});
      insist('without the token', refused.status, 401);
    }
    const { status, headers, body } = await site.askPlain(port, '/metrics', { token });
    const type = String(headers['content-type']).split(';', 1)[0];
    insist('with the token', [status, type], [200, 'text/plain']);
    const of = (/** @type {RegExp} */ sample) => Number(sample.exec(String(body))?.[1] ?? 0);
    insist('database', of(/^kaya_database_up (\d+)$/m), 1);
    created += of(
      /^kaya_operations_total\{method="POST",route="\/api\/packages",outcome="done"\} (\d+)$/m,
    );
    for (const kind of ['plain', 'rows']) {
      streams += of(new RegExp(`^kaya_event_streams_open\\{kind="${kind}"\\} (\\d+)$`, 'm'));
    }
  }
  insist('packages created', created, 1);
  if (streams < 2) throw new Error(`${streams} event streams for two active phones`);
  return `${ports.length} processes: 200 with the token, 401 without, 404 at the site; 1 package, ${streams} streams`;
}

const secrets =
  /@kaya\.test|803 ?123|805 ?765|Musa|Kofar Mata|Bearer|a-good-password|sk_live|argon2/;

/** @param {string} text */
export function logLines(text) {
  const lines = text.split('\n').filter((line) => line !== '');
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const faults = lines.filter((line) => JSON.parse(line).level >= 50);
  insist('errors in the log', faults, []);
  const [told] = secrets.exec(text) ?? [];
  if (told !== undefined) throw new Error(`The log contains '${told}'.`);
  const fields = Object.keys(requests[0] ?? {}).sort();
  insist('fields', fields, ['level', 'method', 'ms', 'msg', 'reqId', 'route', 'status', 'time']);
  return `${lines.length} lines of JSON, ${requests.length} of requests, none of a person, no error`;
}

const tables = ['users', 'packages', 'assignments', 'transfers', 'entries', 'idempotency_keys'];

/** @param {import('pg').Client} database @returns {Promise<number[]>} */
async function sizes(database) {
  const counts = tables.map((table) => `(select count(*)::int from ${table})`);
  const { rows } = await database.query({
    text: `select ${counts.join(', ')}`,
    rowMode: 'array',
  });
  return rows[0] ?? [];
}

/**
 * @param {{ backup(into: string): string, command(name: string, url: string, ...args: string[]): string }} servers
 * @param {string} folder
 * @param {{ site: import('pg').Client, copy: import('pg').Client, copyUrl: string }} databases
 */
export async function backupAndRestore(servers, folder, { site, copy, copyUrl }) {
  const file = servers.backup(folder);
  const { mode, size } = statSync(file);
  if (readFileSync(file).includes('@kaya.test')) throw new Error('The backup is not compressed.');
  const restored = servers.command('restore', copyUrl, file);
  const audit = servers.command('audit', copyUrl);
  if (!audit.startsWith('The ledger is whole')) throw new Error(audit);
  insist('rows', await sizes(copy), await sizes(site));
  insist('who may read the backup', mode & 0o077, 0);
  return `${Math.ceil(size / 1024)} kB; ${restored.replace(/ from .*/, '')}; ${audit}`;
}
