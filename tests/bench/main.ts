/**
 * How fast the server lists what changed and lets packages be accepted, on both databases, beside
 * the bare server (bare.ts). The two take turns, round by round, so that both meet the same moods
 * of the machine; what counts is the ratio, the median of that of each round. Ends with 1 where one is under the limit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '#tests/postgres.mjs';
import { type Case, casesOf } from './cases.ts';
import { median } from './figures.mjs';
import { load, type Measured } from './load.ts';
import { type Filled, fillPglite, fillPostgres } from './places.ts';
import { startBare, startProduct } from './processes.ts';
import { recordPlans } from './record.ts';
import { limit, type Result, tableOf } from './table.ts';

const size = { packages: 10_000, users: 500 };
const connections = 10;
/** Many and short: what else the machine does then hits both sides of a round alike. */
const rounds = 15;
const roundMs = 500;
const warmUpMs = 1_000;
const secret = 'only-for-the-bench-only-for-the-bench';

const say = (text: string) => process.stderr.write(`${text}\n`);

async function measure(one: Case): Promise<Omit<Result, 'database'>> {
  const { name, product, bare, requests } = one;
  const sides = [product, bare].map((side) => ({ ...side, measured: [] as Measured[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { url, next, measured } of sides) {
      const ms = round === 0 ? warmUpMs : roundMs;
      const result = await load({ url, connections, next, ms, ...(requests && { requests }) });
      if (round > 0) measured.push(result);
    }
  }
  const [ours, theirs] = sides.map(({ measured }) => ({
    perSecond: median(measured.map(({ perSecond }) => perSecond)),
    p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
  }));
  if (!ours || !theirs) throw new Error('Nothing was measured.');
  const [mine = [], its = []] = sides.map(({ measured }) => measured);
  const ratio = median(mine.map((one, round) => one.perSecond / (its[round]?.perSecond ?? 0)));
  return { call: name, product: ours, bare: theirs, ratio };
}

async function bench(filled: Filled, folder: string): Promise<Result[]> {
  const plans = await recordPlans();
  const { database } = filled.bare;
  const log = (name: string) => path.join(folder, `${name}.log`);
  const product = await startProduct(filled.product, secret, log('product'));
  const bare = await startBare({ plans, database }, log('bare'));
  const results: Result[] = [];
  try {
    for await (const one of casesOf({ filled, product, bare, secret })) {
      const result = { database: filled.name, ...(await measure(one)) };
      say(`${result.database}, ${result.call}: ${result.ratio.toFixed(2)}`);
      results.push(result);
    }
  } finally {
    await product.stop();
    await bare.stop();
  }
  return results;
}

const folder = mkdtempSync(path.join(tmpdir(), 'kaya-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  const results = await bench(await fillPglite(folder, size), folder);
  if (postgres) {
    const { drop, ...filled } = await fillPostgres(postgres, size);
    results.push(...(await bench(filled, folder)));
    await drop();
  } else say('No PostgreSQL to be had: measured on the embedded database alone.');
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
  process.stdout.write(`\n${machine}, ${connections} connections\n\n${tableOf(results)}\n`);
  if (results.some(({ ratio }) => ratio < limit)) process.exitCode = 1;
} finally {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
