/**
 * Upgrades stored operations of other app versions: one queued offline may be months older than the
 * app that sends it.
 *
 *   stored ──schemaVersion n──▶ step n ──▶ n + 1 ──▶ … ──▶ current shape, validated ──▶ operation
 *      └──damaged, unknown name, or newer version──▶ unreadable
 *
 * To change a shape in domain/operation: raise `operationSchemaVersion` and add a step to
 * `operationSteps`. The version of db/user-database counts it, so that no tab of the old version
 * keeps writing the old shape. A step preserves the request wherever it can: the operation may have
 * been sent already, and a different request under the same Idempotency-Key is refused and needs
 * attention.
 */
import * as v from 'valibot';
import { isOperationName, isRecord, type Operation, operations } from './operation.ts';
import { operationSchemaVersion } from './operation-names.ts';

export type StoredOperation = Record<string, unknown>;

/** From its version to the next; may throw on invalid input. */
export type OperationStep = (stored: StoredOperation) => StoredOperation;

export const operationSteps: ReadonlyMap<number, OperationStep> = new Map();

export type Upgraded = { operation: Operation } | { unreadable: 'damaged' | 'newer' };

const nonEmpty = v.pipe(v.string(), v.minLength(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Loose: unknown extra fields are preserved. */
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

/** Validates without rewriting: the request must not change. */
function isOperation(stored: StoredOperation): stored is StoredOperation & Operation {
  if (!v.is(envelopeSchema, stored) || !isOperationName(stored.name)) return false;
  return v.is<v.GenericSchema>(operations[stored.name].args, stored.args);
}

export interface Migration {
  steps: ReadonlyMap<number, OperationStep>;
  version: number;
}

const today: Migration = { steps: operationSteps, version: operationSchemaVersion };

/** Upgrades a stored operation; a current one is returned unchanged. */
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

/** The operations screens can show before the engine has quarantined the others. */
export function readableOperations<Row extends Operation>(stored: readonly Row[]): Row[] {
  return stored.flatMap((row): Row[] => {
    if (row.schemaVersion === operationSchemaVersion) return isShowable(row) ? [row] : [];
    const upgraded = upgradeOperation(row);
    return 'operation' in upgraded ? [upgraded.operation as Row] : [];
  });
}
