import { fillPlaceholders, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

const dialect = new PgDialect();

/** `$1`, `$2` … as drizzle writes them; a literal of ours has none. */
const parameters = /\$\d+/;

type Values = Readonly<Record<string, unknown>>;

/**
 * Has drizzle write the text of a query once, which takes it longer than all else it does. `build`
 * marks what differs from call to call with `sql.placeholder(name)`; what it answers is the query
 * with these values, for any database or transaction.
 */
export function writtenOnce(build: () => SQL): (values: Values) => SQL {
  let written: { pieces: SQL[]; params: unknown[] } | undefined;
  const write = () => {
    const { sql: text, params } = dialect.sqlToQuery(build());
    return { pieces: text.split(parameters).map((piece) => sql.raw(piece)), params };
  };
  return (values) => {
    written ??= write();
    const { pieces, params } = written;
    const filled = fillPlaceholders(params, { ...values });
    return sql.join(
      pieces.flatMap((piece, index) =>
        index < filled.length ? [piece, sql.param(filled[index])] : [piece],
      ),
    );
  };
}

/** The same for queries that differ by `shape`, of which there are few. */
export function writtenPer<Shape extends string>(
  build: (shape: Shape) => SQL,
): (shape: Shape, values: Values) => SQL {
  const known = new Map<Shape, (values: Values) => SQL>();
  return (shape, values) => {
    const query = known.get(shape) ?? writtenOnce(() => build(shape));
    known.set(shape, query);
    return query(values);
  };
}
