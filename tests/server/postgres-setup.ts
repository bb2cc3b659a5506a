/** Creates one migrated database that the stages copy, which takes a fraction of migrating each. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '#server/database/postgres.ts';

export interface TestPostgres {
  /** With a role that may create databases. */
  url: string;
  /** The name of a database without connections. */
  template: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres;
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL ?? '';
  const template = `kaya_template_${randomBytes(6).toString('hex')}`;
  await run(url, `create database ${template} encoding 'UTF8' template template0`);
  const place = new URL(url);
  place.pathname = `/${template}`;
  const database = await openPostgres(place.href);
  await database.close();
  project.provide('postgres', { url, template });
  return () => run(url, `drop database if exists ${template} with (force)`);
}
