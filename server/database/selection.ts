/**
 * Columns of joined tables and how to read a row of them. Drizzle's own reading asks of every value
 * what kind of column it is from, which for a page of a list takes longer than the query.
 */
import { Column, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { RawRow } from './written.ts';

type Groups = Record<string, Record<string, PgColumn>>;
type Values<Columns extends Record<string, PgColumn>> = {
  [Name in keyof Columns]: Columns[Name]['_']['notNull'] extends true
    ? Columns[Name]['_']['data']
    : Columns[Name]['_']['data'] | null;
};
export type Selected<G extends Groups> = { [Group in keyof G]: Values<G[Group]> };

export interface Selection<G extends Groups> {
  /** What stands behind `select`. */
  columns: SQL;
  /** A row of these columns. What an outer join did not find has nothing but nulls. */
  read(raw: RawRow): Selected<G>;
}

export function selectionOf<G extends Groups>(groups: G): Selection<G> {
  const named = Object.entries(groups).map(([group, columns]) => ({
    group,
    columns: Object.entries(columns).map(([key, column]) => ({
      key,
      column,
      as: `${group}.${key}`,
      // Most columns are read as they come.
      isConverted: column.mapFromDriverValue !== Column.prototype.mapFromDriverValue,
    })),
  }));
  const spelled = named.flatMap(({ columns }) =>
    columns.map(({ column, as }) => `"${getTableName(column.table)}"."${column.name}" as "${as}"`),
  );
  const read = (raw: RawRow) => {
    const row: Record<string, Record<string, unknown>> = {};
    for (const { group, columns } of named) {
      const values: Record<string, unknown> = {};
      for (const { key, column, as, isConverted } of columns) {
        const value = raw[as];
        values[key] = isConverted && value !== null ? column.mapFromDriverValue(value) : value;
      }
      row[group] = values;
    }
    return row as Selected<G>;
  };
  return {
    columns: sql.raw(spelled.join(', ')),
    read,
  };
}
