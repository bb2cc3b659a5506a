// @ts-check
// The PostgreSQL of the server tests: TEST_DATABASE_URL, otherwise a throw-away cluster from
// installed binaries, otherwise from Debian's package if it can be installed.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { installFromDebian } from './debian.mjs';

/**
 * @typedef {object} Postgres
 * @property {string} url of a role that may create databases
 * @property {string} version '15.8'
 * @property {() => void} stop stops it and deletes its data; synchronous, for signal handlers
 */

const readyLine = 'database system is ready to accept connections';
const readyMs = 30_000;

/** The folder of the newest initdb and postgres, or null. @returns {string | null} */
function findBinaries() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((v) => path.join(debian, v, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  const hasBoth = (/** @type {string} */ folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name)));
  return folders.find((folder) => folder !== '' && hasBoth(folder)) ?? null;
}

/** PostgreSQL refuses to run as root: another user in that case. @returns {{ uid?: number, gid?: number }} */
function owner() {
  if (process.getuid?.() !== 0) return {};
  const people = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const person = ['postgres', 'nobody'].flatMap((name) =>
    people.filter(([who]) => who === name),
  )[0];
  return person ? { uid: Number(person[2]), gid: Number(person[3]) } : {};
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** @param {string} url @returns {Promise<string>} */
async function versionOf(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  const { rows } = await client.query('show server_version');
  await client.end();
  return String(rows[0].server_version).split(' ', 1)[0] ?? '';
}

/** Durability is off: the cluster is disposable. */
const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Stops the cluster in `home` if this process is killed. @param {string} home */
function watchOver(home) {
  const file = fileURLToPath(new URL('./postgres-watch.mjs', import.meta.url));
  // In its own process group: signals of the terminal are not meant for it.
  return spawn(process.execPath, [file, home], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}

/** A cluster in its own folder, on a free port of localhost.
 * @param {string} binaries @param {string[]} settings @returns {Promise<Postgres>} */
async function startCluster(binaries, settings) {
  const home = mkdtempSync(path.join(tmpdir(), 'kaya-pg-'));
  const identity = owner();
  const password = randomBytes(12).toString('hex');
  const passwordFile = path.join(home, 'password');
  const data = path.join(home, 'data');
  writeFileSync(passwordFile, password);
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(home, identity.uid, identity.gid);
    chownSync(passwordFile, identity.uid, identity.gid);
  }
  const watch = watchOver(home);
  const remove = () => {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    watch.kill('SIGKILL');
  };
  try {
    const made = spawnSync(
      path.join(binaries, 'initdb'),
      [
        ...['-D', data, '-U', 'kaya', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
        ...['-E', 'UTF8', '--no-locale', '--no-sync'],
      ],
      { ...identity, cwd: home, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
    const port = await freePort();
    const child = spawn(
      path.join(binaries, 'postgres'),
      [
        ...['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', home],
        ...[...settings, 'max_connections=200'].flatMap((setting) => ['-c', setting]),
      ],
      { ...identity, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const stop = () => {
      // Immediate, without a checkpoint: nothing is kept.
      child.kill('SIGQUIT');
      remove();
    };
    let log = '';
    await new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`postgres did not start: ${log}`));
      const patience = setTimeout(fail, readyMs);
      child.on('exit', fail);
      child.stderr.on('data', (chunk) => {
        log = `${log}${chunk}`.slice(-4000);
        if (!log.includes(readyLine)) return;
        clearTimeout(patience);
        resolve(undefined);
      });
    }).catch((error) => {
      stop();
      throw error;
    });
    const url = `postgres://kaya:${password}@127.0.0.1:${port}/postgres`;
    return { url, version: await versionOf(url), stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/** One statement by a role that may create databases. @param {string} url @param {string} statement */
export async function administer(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A new database. @param {string} url @param {string} origin of `create database`
 * @returns {Promise<{ url: string, drop(): Promise<void> }>} url: in the form DATABASE_URL takes */
export async function createDatabase(url, origin = "encoding 'UTF8' template template0") {
  const name = `kaya_${randomBytes(6).toString('hex')}`;
  await administer(url, `create database ${name} ${origin}`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  return { url: place.href, drop: () => administer(url, `drop database ${name} with (force)`) };
}

/** Null if none is available. Throws if an installed one fails to start.
 * @param {{ isDurable?: boolean }} [how] isDurable: commits reach the disk, PostgreSQL's default
 * @returns {Promise<Postgres | null>} */
export async function startPostgres({ isDurable = false } = {}) {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, version: await versionOf(given), stop: () => undefined };
  if (!findBinaries()) {
    console.error('No PostgreSQL here; installing one for the server tests…');
    // The package's own cluster need not start; only its binaries are used.
    installFromDebian(['postgresql']);
  }
  const binaries = findBinaries();
  return binaries ? startCluster(binaries, isDurable ? [] : careless) : null;
}
