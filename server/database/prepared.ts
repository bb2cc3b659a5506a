import type { Database } from './database.ts';

/**
 * Has drizzle write the SQL of a query once per database, which takes it longer than all else it
 * does: for what every call asks. `build` ends in `.prepare('')`: without a name PostgreSQL keeps
 * nothing, so that a pooler in between may change connections.
 */
export function preparedOnce<Query>(build: (db: Database) => Query): (db: Database) => Query {
  const built = new WeakMap<Database, Query>();
  return (db) => {
    const known = built.get(db);
    if (known) return known;
    const query = build(db);
    built.set(db, query);
    return query;
  };
}
