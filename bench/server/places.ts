/** The two databases, each filled once and copied: one for the product, one for the bare server. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Database, OpenDatabase } from '#server/database/database.ts';
import { openEmbedded } from '#server/database/pglite.ts';
import { commandTimeouts, openPostgres } from '#server/database/postgres.ts';
import { startPostgres } from '#tests/postgres.mjs';
import type { Place } from './processes.ts';
import { peopleOf, type SeededPerson } from './requests.ts';
import { packagesOnOffer, type Size, seed } from './seed.ts';

export interface Filled {
  name: string;
  product: Place;
  bare: Place;
  couriers: SeededPerson[];
  senders: SeededPerson[];
  offers: string[];
}

type Contents = Pick<Filled, 'couriers' | 'senders' | 'offers'>;

async function fill(opened: OpenDatabase, size: Size, after: (db: Database) => Promise<unknown>) {
  const { db, close } = opened;
  await seed(db, size);
  await after(db);
  const contents: Contents = { ...(await peopleOf(db)), offers: await packagesOnOffer(db) };
  await close();
  return contents;
}

export async function fillPglite(folder: string, size: Size): Promise<Filled> {
  const [product, bare] = ['product', 'bare'].map((name) => path.join(folder, name));
  if (!product || !bare) throw new Error('No folders.');
  const contents = await fill(await openEmbedded(product), size, () => Promise.resolve());
  cpSync(product, bare, { recursive: true });
  return {
    ...contents,
    name: 'PGlite',
    product: { env: { DATA_DIR: product }, database: product },
    bare: { env: {}, database: path.join(bare, 'postgres') },
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Creates its own databases, which `drop` deletes. */
export async function fillPostgres(
  { url, version }: { url: string; version: string },
  size: Size,
): Promise<Filled & { drop(): Promise<void> }> {
  const names = ['product', 'bare'].map((name) => `kaya_bench_${name}_${process.pid}`);
  const [product = '', bare = ''] = names.map(
    (name) => Object.assign(new URL(url), { pathname: `/${name}` }).href,
  );
  await administer(url, `create database ${names[0]} encoding 'UTF8' template template0`);
  // What autovacuum would have done on a database that grew gradually.
  const vacuum = (db: Database) => db.execute(sql`vacuum analyze`);
  const contents = await fill(await openPostgres(product, commandTimeouts), size, vacuum);
  await administer(url, `create database ${names[1]} template ${names[0]}`);
  return {
    ...contents,
    name: `PostgreSQL ${version}`,
    product: { env: { DATABASE_URL: product }, database: product },
    bare: { env: {}, database: bare },
    drop: async () => {
      for (const name of names) await administer(url, `drop database ${name} with (force)`);
    },
  };
}

/** On PostgreSQL where there is one, else on the embedded database; both are gone afterwards. */
export async function onDatabase(
  size: Size,
  bench: (filled: Filled, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kaya-bench-'));
  const postgres = await startPostgres({ isDurable: true });
  try {
    if (postgres) {
      const { drop, ...filled } = await fillPostgres(postgres, size);
      await bench(filled, folder);
      await drop();
    } else await bench(await fillPglite(folder, size), folder);
  } finally {
    postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
