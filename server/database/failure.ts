/** What kinds of failure a database has, told by class and SQLSTATE and never by words. */
import { DrizzleQueryError } from 'drizzle-orm';

/** There was no connection to be had. */
export class Unavailable extends Error {
  override name = 'Unavailable';
  constructor(options?: ErrorOptions) {
    super('the database cannot be reached', options);
  }
}

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention. */
const awayClasses: ReadonlySet<string> = new Set(['08', '53', '57']);
/** A transaction ended for its idleness; a server that has become a stand-by and only reads. */
const awayStates: ReadonlySet<string> = new Set(['25P03', '25006']);
/** Of Node: what happens to sockets. */
const socketCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

const deadlockOrSerialization: ReadonlySet<string> = new Set(['40P01', '40001']);

/** DrizzleQueryError holds what the driver threw. */
function causeOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

/** Of the system ('ENOENT') or of PostgreSQL (a SQLSTATE), where there is one. */
export function codeOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

/**
 * Is the database away, so that the same may go well a little later? What PostgreSQL itself says
 * carries a SQLSTATE, what a socket says carries its code; all that the driver throws of a query
 * without either, as a bare Error, is about a connection that ended or gave no answer in time.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Unavailable) return true;
  const cause = causeOf(error);
  const code = codeOf(error);
  if (code === undefined) {
    return (
      error instanceof DrizzleQueryError && cause instanceof Error && cause.constructor === Error
    );
  }
  if (awayStates.has(code) || awayClasses.has(code.slice(0, 2))) return code.length === 5;
  return error instanceof DrizzleQueryError && socketCodes.has(code);
}

/** Two transactions stood in each other's way, and this one was undone so that the other could go on. */
export function isUndoneForAnother(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && deadlockOrSerialization.has(code);
}

const lockNotAvailable = '55P03';

/** Did somebody hold a lock for longer than this would wait? */
export function isLockedOut(error: unknown): boolean {
  return codeOf(error) === lockNotAvailable;
}

const uniqueViolation = '23505';

/** Did this fail because `constraint` holds the same value already? */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = causeOf(error);
  if (codeOf(error) !== uniqueViolation) return false;
  return cause instanceof Error && 'constraint' in cause && cause.constraint === constraint;
}

/** Classes of SQLSTATE for values and rows that cannot be: data exceptions and broken constraints. */
const badRowClasses: ReadonlySet<string> = new Set(['22', '23']);

/** Was a row refused for what is in it? */
export function isBadRow(error: unknown): boolean {
  return error instanceof DrizzleQueryError && badRowClasses.has((codeOf(error) ?? '').slice(0, 2));
}
