/**
 * The physical limit: the smallest Fastify server that sends the same statements to the same
 * driver. It authenticates and checks nothing, and writes the rows unconverted, in as many bytes as
 * the product's response; or passes on what the database has made JSON of.
 *
 *   node dist/bench/bare.js < settings as JSON on stdin
 */
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import Fastify from 'fastify';
import pg from 'pg';
import { DurableNodeFS, durableStartParams } from '#server/database/durable-node-fs.ts';
import type { BareSettings, Binding, CallName, Plan, Statement } from './plan.ts';

type Query = (
  statement: Pick<Statement, 'sql' | 'name'>,
  parameters: unknown[],
) => Promise<{ rows: unknown[] }>;

interface Driver {
  query: Query;
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

const connections = 20;

function overPostgres(connectionString: string): Driver {
  const pool = new pg.Pool({ connectionString, max: connections });
  const configOf = ({ sql, name }: Parameters<Query>[0], values: unknown[]): pg.QueryConfig => ({
    text: sql,
    values,
    ...(name === null ? {} : { name }),
  });
  return {
    query: (statement, parameters) => pool.query(configOf(statement, parameters)),
    transaction: async (work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await work((statement, parameters) =>
          client.query(configOf(statement, parameters)),
        );
        await client.query('commit');
        return result;
      } finally {
        client.release();
      }
    },
  };
}

async function overPglite(folder: string): Promise<Driver> {
  const fs = new DurableNodeFS(folder, () => undefined);
  const client = await PGlite.create({ fs, startParams: durableStartParams });
  return {
    query: ({ sql }, parameters) => client.query(sql, parameters),
    transaction: (work) =>
      client.transaction((tx) => work(({ sql }, parameters) => tx.query(sql, parameters))),
  };
}

type Brought = Partial<Record<Binding | 'bytes', string>>;

function valuesOf({ parameters }: Statement, brought: Brought): unknown[] {
  return parameters.map((one) => ('binding' in one ? brought[one.binding] : one.value));
}

/** Runs the statements, those of a transaction in sequence; returns the rows of the response. */
async function perform(driver: Driver, { statements, answeredBy }: Plan, brought: Brought) {
  let rows: unknown[] = [];
  const ask = async (query: Query, from: number, to: number) => {
    for (const [index, statement] of statements.slice(from, to).entries()) {
      const result = await query(statement, valuesOf(statement, brought));
      if (from + index === answeredBy) rows = result.rows;
    }
  };
  const begin = statements.findIndex(({ isInTransaction }) => isInTransaction);
  const outside = begin < 0 ? statements.length : begin;
  await ask(driver.query, 0, outside);
  if (begin >= 0) {
    await driver.transaction((query) => ask(query, outside, statements.length));
  }
  return rows;
}

/** JSON with exactly `bytes` bytes: cut or padded. */
function inBytes(json: string, bytes: number): string {
  return json.length > bytes ? json.slice(0, bytes) : json.padEnd(bytes);
}

/** The database's own JSON, as it is; or rows as JSON, in as many bytes as the product sends. */
function bodyOf([first, ...more]: unknown[], { bytes }: Brought): string {
  if (bytes === undefined) return (first as { json: string }).json;
  return inBytes(JSON.stringify(first === undefined ? [] : [first, ...more]), Number(bytes));
}

const settings: BareSettings = JSON.parse(await text(process.stdin));
const driver = settings.database.startsWith('postgres://')
  ? overPostgres(settings.database)
  : await overPglite(settings.database);
const app = Fastify();
for (const name of Object.keys(settings.plans) as CallName[]) {
  const plan = settings.plans[name];
  app.route<{ Querystring: Brought }>({
    method: name === 'accept' ? 'PATCH' : 'GET',
    url: `/${name}`,
    handler: async (request, reply) => {
      const rows = await perform(driver, plan, request.query);
      return reply.type('application/json; charset=utf-8').send(bodyOf(rows, request.query));
    },
  });
}
const snapshot = { sql: 'select pg_current_snapshot()::text as snapshot', name: null };
app.get('/snapshot', () => driver.query(snapshot, []));
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`ready at ${address}\n`);
process.on('SIGTERM', () => process.exit(0));
