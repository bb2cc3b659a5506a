/**
 * Operations that another version of the app has stored. A queued operation may be older than the app
 * by months: it was made offline, and the app was updated before it could be sent.
 *
 *   stored ──schemaVersion n──▶ step n ──▶ n + 1 ──▶ … ──▶ today's shape, checked ──▶ operation
 *      └──not to be read: damaged, of an unknown name, or of a newer version──▶ unreadable
 *
 * A change of shape in domain/operation: raise `operationSchemaVersion`, add the step that leads
 * there to `operationSteps`, and raise the version of db/user-database with it, so that no tab of
 * the old version goes on writing the old shape. A step keeps what is sent as it was wherever it
 * can: the operation may have been sent already, and a different request under the same
 * Idempotency-Key is refused and comes to the person's attention.
 */
import * as v from 'valibot';
import { isOperationName, isRecord, type Operation, operations } from './operation.ts';
import { operationSchemaVersion } from './operation-names.ts';

/** What is certain of something stored: nothing but that it is a record. */
export type StoredOperation = Record<string, unknown>;

/** From the version that it stands under to the next; may throw on what it does not understand. */
export type OperationStep = (stored: StoredOperation) => StoredOperation;

export const operationSteps: ReadonlyMap<number, OperationStep> = new Map([
  // 2: an accept may carry the version that was seen. One of before goes out without, as it was made.
  [1, (stored: StoredOperation) => stored],
]);

export type Upgraded = { operation: Operation } | { unreadable: 'damaged' | 'newer' };

const nonEmpty = v.pipe(v.string(), v.minLength(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Loose: what this version does not know of beside these is kept. */
const envelopeSchema = v.looseObject({
  id: nonEmpty,
  seq: count,
  name: nonEmpty,
  targetId: nonEmpty,
  schemaVersion: count,
  state: v.picklist(['waiting', 'attention']),
  createdAt: v.string(),
  tries: count,
  lastError: v.nullable(
    v.looseObject({ code: v.string(), message: v.string(), status: v.number(), at: v.string() }),
  ),
});

/** In today's shape. It is never rewritten: what is sent must stay what was sent. */
function isOperation(stored: StoredOperation): stored is StoredOperation & Operation {
  if (!v.is(envelopeSchema, stored) || !isOperationName(stored.name)) return false;
  return v.is<v.GenericSchema>(operations[stored.name].args, stored.args);
}

export interface Migration {
  steps: ReadonlyMap<number, OperationStep>;
  version: number;
}

const today: Migration = { steps: operationSteps, version: operationSchemaVersion };

/** What was found in storage as an operation of today. An operation of today is answered itself. */
export function upgradeOperation(stored: unknown, { steps, version }: Migration = today): Upgraded {
  if (typeof stored !== 'object' || stored === null) return { unreadable: 'damaged' };
  let at = stored as StoredOperation;
  let from = at.schemaVersion;
  if (typeof from !== 'number' || !Number.isInteger(from)) return { unreadable: 'damaged' };
  if (from > version) return { unreadable: 'newer' };
  try {
    for (; from < version; from += 1) {
      const step = steps.get(from);
      if (!step) return { unreadable: 'damaged' };
      at = { ...step(at), schemaVersion: from + 1 };
    }
  } catch {
    return { unreadable: 'damaged' };
  }
  return isOperation(at) ? { operation: at } : { unreadable: 'damaged' };
}

function isShowable(stored: StoredOperation): boolean {
  const { id, seq, name, targetId, state, createdAt, lastError, args } = stored;
  if (typeof id !== 'string' || typeof seq !== 'number' || typeof targetId !== 'string')
    return false;
  if (state !== 'waiting' && state !== 'attention') return false;
  if (typeof name !== 'string' || !isOperationName(name) || !isRecord(args)) return false;
  if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return false;
  if (lastError !== null && !isRecord(lastError)) return false;
  return operations[name].isShowable(args);
}

/**
 * What can be shown of stored operations, for screens that may read before the engine has sorted
 * them (sync/outbox/quarantine.ts).
 */
export function readableOperations<Row extends Operation>(stored: readonly Row[]): Row[] {
  return stored.flatMap((row): Row[] => {
    if (row.schemaVersion === operationSchemaVersion) return isShowable(row) ? [row] : [];
    const upgraded = upgradeOperation(row);
    return 'operation' in upgraded ? [upgraded.operation as Row] : [];
  });
}
