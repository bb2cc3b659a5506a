/** Creates one migrated database that the stages copy, which takes a fraction of migrating each. */
import type { TestProject } from 'vitest/node';
import { openPostgres } from '#server/database/postgres.ts';
import { createDatabase } from '#tests/postgres.mjs';

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

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL ?? '';
  const template = await createDatabase(url);
  const database = await openPostgres(template.url);
  await database.close();
  project.provide('postgres', { url, template: new URL(template.url).pathname.slice(1) });
  return template.drop;
}
