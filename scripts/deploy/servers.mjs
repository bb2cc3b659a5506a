// @ts-check
// Starts the server and its commands with server/deploy/kaya.env.example, read as systemd reads it;
// only machine-specific values are overridden.
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '#server/commands/prepare.mjs';
import { run } from './ground.mjs';

/** @returns {Record<string, string>} */
function exampleSettings() {
  const text = readFileSync(path.join(root, 'server/deploy/kaya.env.example'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** @param {import('./ground.mjs').Ground} ground @param {Record<string, string>} own */
export function createServers(ground, own) {
  const { folder } = ground;
  const settings = { ...exampleSettings(), ...own, PATH: process.env.PATH };
  /** @param {string} name */
  const entry = (name) => path.join(root, 'dist/server', name);

  return {
    /** Resolves once ready. @param {number} port */
    async start(port) {
      const child = spawn(process.execPath, [entry('main.js')], {
        env: { ...settings, PORT: String(port), DATA_DIR: path.join(folder, 'data') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      ground.own(child, { signal: 'SIGKILL' });
      let said = '';
      child.stderr.pipe(createWriteStream(path.join(folder, 'server.log'), { flags: 'a' }));
      child.stderr.on('data', (text) => {
        said = `${said}${text}`.slice(-2000);
      });
      /** @type {Promise<number | null>} */
      const ended = new Promise((resolve) => child.once('close', resolve));
      await new Promise((resolve, reject) => {
        child.stdout.on('data', (text) => {
          if (`${text}`.includes('is ready at')) resolve(null);
        });
        void ended.then((code) => reject(new Error(`The server ended with ${code}: ${said}`)));
      });
      return {
        port,
        /** Stops it as systemd does; resolves with its exit code. */
        async stop() {
          child.kill('SIGTERM');
          return ended;
        },
      };
    },
    /** Runs a command; returns its stdout. @param {string} name @param {string} databaseUrl @param {string[]} args */
    command: (name, databaseUrl, ...args) =>
      run(process.execPath, [entry(`${name}.js`), ...args], {
        env: { ...settings, DATABASE_URL: databaseUrl },
      }).trim(),
    /** Runs the nightly backup as its unit does; returns the file. @param {string} into */
    backup(into) {
      run('sh', [path.join(root, 'server/deploy/backup.sh')], {
        env: { ...settings, BACKUP_DIR: into, BACKUP_DAYS: '30' },
      });
      return run('sh', ['-c', `ls ${into}/kaya-*.backup`]).trim();
    },
    log: () => readFileSync(path.join(folder, 'server.log'), 'utf8'),
  };
}
