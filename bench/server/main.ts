/**
 * Listing changes and accepting packages, on both databases, beside the bare server, the upper
 * limit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Figure, say, tell } from '#bench/report.mjs';
import { startPostgres } from '#tests/postgres.mjs';
import { type Case, casesOf } from './cases.ts';
import { load } from './load.ts';
import { type Filled, fillPglite, fillPostgres } from './places.ts';
import { startBare, startProduct } from './processes.ts';
import { recordPlans } from './record.ts';
import { connections, secret, size } from './stage.ts';
import { compare } from './turns.ts';

/** The product must reach at least this share of the bare server's calls per second. */
const leastRatio = 0.7;
const bareName = 'bare server';

async function measure(database: string, one: Case): Promise<Figure[]> {
  const { name, product, bare, requests, peerName = bareName } = one;
  const loaded = (side: Case['product']) => (ms: number) =>
    load({ ...side, connections, ms, ...(requests && { requests }) });
  const { ours, theirs, ratio } = await compare(loaded(product), loaded(bare));
  const speed = { kaya: ours.perSecond, peer: theirs.perSecond, ratio, leastRatio };
  return [
    { what: `${database}: ${name}`, unit: 'calls/s', ...speed, peerName },
    { what: 'of that, p99', unit: 'ms', kaya: ours.p99Ms, peer: theirs.p99Ms, peerName },
  ];
}

async function bench(filled: Filled, folder: string): Promise<void> {
  const plans = await recordPlans();
  const { database } = filled.bare;
  const log = (name: string) => path.join(folder, `${name}.log`);
  const product = await startProduct(filled.product, secret, log('product'));
  const bare = await startBare({ plans, database }, log('bare'));
  try {
    for await (const one of casesOf({ filled, product, bare, secret })) {
      const figures = await measure(filled.name, one);
      say(`${filled.name}, ${one.name}: ${figures[0]?.ratio?.toFixed(2)}`);
      tell({ figures });
    }
  } finally {
    await product.stop();
    await bare.stop();
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'kaya-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  await bench(await fillPglite(folder, size), folder);
  if (postgres) {
    const { drop, ...filled } = await fillPostgres(postgres, size);
    await bench(filled, folder);
    await drop();
  } else say('No PostgreSQL available: measured on the embedded database only.');
} finally {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
