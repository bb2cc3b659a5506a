// @ts-check
// nginx with the template of server/deploy, rendered as docs/operations.md describes, on free
// ports.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { root } from '#server/commands/prepare.mjs';
import { needProgram, run } from './ground.mjs';
import { until } from './report.mjs';

/**
 * @typedef {object} Site
 * @property {string} name
 * @property {number} httpPort
 * @property {number} httpsPort
 * @property {number[]} upstreams ports of the server's processes
 * @property {string} certificates folder
 */

const template = path.join(root, 'server/deploy/nginx.conf.template');

/** @param {Site} site */
function render({ name, httpPort, httpsPort, upstreams, certificates }) {
  const values = {
    SERVER_NAME: name,
    CERTIFICATES: certificates,
    HTTP_PORT: String(httpPort),
    HTTPS_PORT: String(httpsPort),
    UPSTREAMS: upstreams.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' '),
  };
  const names = Object.keys(values).map((each) => `$${each}`);
  const text = run(needProgram('envsubst', 'gettext-base'), [names.join(' ')], {
    env: { ...process.env, ...values },
    input: readFileSync(template),
  });
  const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ family }) => family === 'IPv6'),
  );
  if (hasIPv6) return text;
  return text
    .split('\n')
    .filter((line) => !line.includes('[::]'))
    .join('\n');
}

/** The directive 'name value;' from docs/operations.md. @param {string} name */
function documented(name) {
  const page = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  const [directive] = new RegExp(`${name} \\d+;`).exec(page) ?? [];
  if (!directive) throw new Error(`docs/operations.md does not set ${name}.`);
  return directive;
}

/** Debian's nginx.conf with the changes of docs/operations.md, reduced to what matters here. @param {string} folder */
export function mainConfig(folder) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return [
    // The folder is accessible to this user only.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    ...['daemon off;', 'worker_processes 2;', `pid ${folder}/nginx.pid;`],
    `error_log ${folder}/nginx-error.log warn;`,
    ...[documented('worker_rlimit_nofile'), `events { ${documented('worker_connections')} }`],
    ...['http {', 'sendfile on;', 'tcp_nopush on;'],
    ...temporary.map((each) => `${each}_temp_path ${folder}/${each}_temp;`),
    ...['gzip on;', 'default_type application/octet-stream;', `include ${folder}/site.conf;`, '}'],
  ].join('\n');
}

/** @param {number} port @returns {Promise<boolean>} */
const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

/** Starts nginx; resolves with its version. @param {import('./ground.mjs').Ground} ground @param {Site} site */
export async function startNginx(ground, site) {
  const { folder } = ground;
  const nginx = needProgram('nginx', 'nginx-light');
  writeFileSync(path.join(folder, 'site.conf'), render(site));
  writeFileSync(path.join(folder, 'nginx.conf'), mainConfig(folder));
  const log = path.join(folder, 'nginx-error.log');
  const args = ['-e', log, '-p', folder, '-c', path.join(folder, 'nginx.conf')];
  run(nginx, [...args, '-t']);
  const child = spawn(nginx, args, { stdio: 'ignore' });
  ground.own(child, { signal: 'SIGTERM' });
  await until('nginx listens', () => answers(site.httpsPort));
  return run('sh', ['-c', `${nginx} -v 2>&1`])
    .trim()
    .replace('nginx version: ', '');
}
