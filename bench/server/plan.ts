/** What the bare server does per call: the product's statements and nothing else. */

/** Values that vary per request, replacing the recorded ones. */
export const bindings = ['user', 'session', 'package', 'key', 'lock', 'snapshot'] as const;
export type Binding = (typeof bindings)[number];

export type Parameter = { value: unknown } | { binding: Binding };

export interface Statement {
  sql: string;
  /** The name of the prepared statement; null: planned each time. */
  name: string | null;
  parameters: Parameter[];
  isInTransaction: boolean;
}

export interface Plan {
  statements: Statement[];
  /** Index of the statement whose rows are the response. */
  answeredBy: number;
}

/** Per role, since their queries differ. */
export type CallName =
  | 'courierFirstPage'
  | 'courierChanges'
  | 'courierJsonPage'
  | 'senderFirstPage'
  | 'senderChanges'
  | 'senderJsonPage'
  | 'accept';
export type Plans = Record<CallName, Plan>;

export interface BareSettings {
  plans: Plans;
  /** A postgres:// URL, or the folder of an embedded database. */
  database: string;
}
