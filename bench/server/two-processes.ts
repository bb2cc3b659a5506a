/**
 * Two processes of the product on one PostgreSQL beside one: whether the second helps on one
 * machine, and the CPU time per call of server and database, which gives their capacity on separate
 * machines.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Figure, say, tell } from '#bench/report.mjs';
import { startPostgres } from '#tests/postgres.mjs';
import { type Case, casesOf } from './cases.ts';
import { load, type Measured } from './load.ts';
import { type Filled, fillPostgres } from './places.ts';
import { type Running, startBare, startProduct } from './processes.ts';
import { backendsOf, between, spentByAll } from './processor-time.ts';
import { recordPlans } from './record.ts';
import { connections, secret, size } from './stage.ts';
import { compare } from './turns.ts';

/** Fewer than beside the bare server: both sides accept from the same packages. */
const acceptsPerRound = 100;
/** Enough for several ticks of the CPU clock. */
const timedMs = 2_000;
const timedRequests = 600;

/** The calls of a case, spread over the processes. */
async function loadAll(urls: readonly string[], one: Case, ms: number): Promise<Measured> {
  const share = urls.length;
  const { next } = one.product;
  const requests = one.requests && { requests: Math.floor(one.requests / share) };
  const all = await Promise.all(
    urls.map((url) => load({ url, next, ms, connections: connections / share, ...requests })),
  );
  return {
    perSecond: all.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
    bytes: all[0]?.bytes ?? 0,
  };
}

/** CPU milliseconds per call, by group of pids. */
async function perCall(one: Case, url: string, groups: readonly (readonly number[])[]) {
  const timed = { ...one, ...(one.requests && { requests: timedRequests }) };
  const before = groups.map(spentByAll);
  const begun = performance.now();
  const { perSecond } = await loadAll([url], timed, timedMs);
  const calls = (perSecond * (performance.now() - begun)) / 1000;
  return groups.map((pids, index) => between(before[index] ?? new Map(), spentByAll(pids)) / calls);
}

async function measure(one: Case, servers: readonly Running[], database: string) {
  const [alone] = servers;
  if (!alone) throw new Error('No server.');
  const urls = servers.map(({ url }) => url);
  const { ours, theirs, ratio } = await compare(
    (ms) => loadAll(urls, one, ms),
    (ms) => loadAll([alone.url], one, ms),
  );
  const both = { kaya: ours.perSecond, peer: theirs.perSecond, peerName: 'one process', ratio };
  const figures: Figure[] = [{ what: `two processes: ${one.name}`, unit: 'calls/s', ...both }];
  const backends = await backendsOf(database);
  const [server, behind] = await perCall(one, alone.url, [[alone.pid], backends]);
  // Zero: no /proc, or the database is on another machine.
  if (server) figures.push({ what: 'of the processor, server', unit: 'ms/call', kaya: server });
  if (behind) figures.push({ what: 'of the processor, database', unit: 'ms/call', kaya: behind });
  say(`Two processes, ${one.name}: ${ratio.toFixed(2)}`);
  tell({ figures });
}

/** Disk space per package, with its indexes. */
async function tellSize(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_total_relation_size('packages') as bytes`,
  );
  await client.end();
  const kaya = Number(rows[0]?.bytes) / size.packages;
  tell({ figures: [{ what: 'a package in PostgreSQL, with indexes', unit: 'bytes', kaya }] });
}

async function bench(filled: Filled, folder: string): Promise<void> {
  const { database } = filled.product;
  await tellSize(database);
  const plans = await recordPlans();
  const log = (name: string) => path.join(folder, `${name}.log`);
  // Not measured here, but the cases of the server's part require the field.
  const bare = await startBare({ plans, database: filled.bare.database }, log('bare'));
  const servers: Running[] = [];
  try {
    for (const name of ['first', 'second']) {
      servers.push(await startProduct(filled.product, secret, log(name)));
    }
    const [product] = servers;
    if (!product) throw new Error('No server.');
    for await (const one of casesOf({ filled, product, bare, secret })) {
      // The same call again, beside another peer.
      if (one.peerName !== undefined) continue;
      const fewer = one.requests && { requests: acceptsPerRound };
      await measure({ ...one, ...fewer }, servers, database);
    }
  } finally {
    await Promise.all([...servers, bare].map(({ stop }) => stop()));
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'kaya-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  if (postgres) {
    const { drop, ...filled } = await fillPostgres(postgres, size);
    await bench(filled, folder);
    await drop();
  } else say('No PostgreSQL available: skipped.');
} finally {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
