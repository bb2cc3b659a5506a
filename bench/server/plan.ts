/** What the bare server does of a call: the statements of the product, and nothing around them. */

/** A value that each request brings, in place of the one that was recorded. */
export const bindings = ['user', 'session', 'package', 'key', 'lock', 'snapshot'] as const;
export type Binding = (typeof bindings)[number];

export type Parameter = { value: unknown } | { binding: Binding };

export interface Statement {
  sql: string;
  /** Under which a PostgreSQL keeps its plan; null: it is planned each time. */
  name: string | null;
  parameters: Parameter[];
  isInTransaction: boolean;
}

export interface Plan {
  statements: Statement[];
  /** Of the statement whose rows are answered. */
  answeredBy: number;
}

/** Of couriers and senders each, since the two are asked about differently. */
export type CallName =
  | 'courierFirstPage'
  | 'courierChanges'
  | 'senderFirstPage'
  | 'senderChanges'
  | 'accept';
export type Plans = Record<CallName, Plan>;

/** Where the bare server finds what it is to do. */
export interface BareSettings {
  plans: Plans;
  /** A postgres:// address, or the folder of an embedded database. */
  database: string;
}
