/** Classifies database failures by error class and SQLSTATE, never by message. */
import { DrizzleQueryError } from 'drizzle-orm';

export class Unavailable extends Error {
  override name = 'Unavailable';
  constructor(options?: ErrorOptions) {
    super('the database cannot be reached', options);
  }
}

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention. */
const awayClasses: ReadonlySet<string> = new Set(['08', '53', '57']);
/** Idle transaction ended; read-only standby; failing disk (58030). */
const awayStates: ReadonlySet<string> = new Set(['25P03', '25006', '58030']);
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

function causeOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? error.cause : error;
}

/** The system's code ('ENOENT') or PostgreSQL's SQLSTATE, if any. */
export function codeOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

/**
 * Is the database away, so that a retry may succeed? PostgreSQL's errors have a SQLSTATE, socket
 * errors a code; a driver's Error without either means a lost or timed-out connection.
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

/** A deadlock or serialization failure: this transaction was rolled back for another. */
export function isTransactionConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && deadlockOrSerialization.has(code);
}

const lockNotAvailable = '55P03';

/** Did waiting for a lock time out? */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === lockNotAvailable;
}

const uniqueViolation = '23505';

/** Is this a duplicate value under `constraint`? */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = causeOf(error);
  if (codeOf(error) !== uniqueViolation) return false;
  return cause instanceof Error && 'constraint' in cause && cause.constraint === constraint;
}

/** SQLSTATE classes: data exception, integrity constraint violation. */
const badRowClasses: ReadonlySet<string> = new Set(['22', '23']);

/** Was a row rejected for its content? */
export function isInvalidRow(error: unknown): boolean {
  return error instanceof DrizzleQueryError && badRowClasses.has((codeOf(error) ?? '').slice(0, 2));
}
