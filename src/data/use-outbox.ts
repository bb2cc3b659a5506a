/** Hooks for screens to read the outbox. */
import { useMemo, useState, useSyncExternalStore } from 'react';
import { readQuarantine } from '#db/queries.ts';
import type { QuarantinedRow } from '#db/user-database.ts';
import type { Operation, OperationOf } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import type { InFlight } from '#sync/outbox/in-flight.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';
import { usePackageStore } from './use-packages.ts';

/** Operations the server has not applied, oldest first; undefined while loading. */
export const useOperations = (): readonly Operation[] | undefined =>
  usePackageStore(({ operations }) => operations);

/** False while the outbox is neither read nor known to be unreadable. */
export const useIsOutboxRead = (): boolean =>
  usePackageStore(({ operations, failure }) => operations !== undefined || failure !== null);

export interface OutboxCounts {
  waiting: number;
  attention: number;
}

export function countByState(operations: readonly Pick<Operation, 'state'>[]): OutboxCounts {
  const attention = operations.filter(({ state }) => state === 'attention').length;
  return { attention, waiting: operations.length - attention };
}

/** Unreadable operations count as `attention`. Zero while loading. */
export function useOutboxCounts(): OutboxCounts {
  const operations = useOperations();
  const unreadable = useQuarantine()?.length ?? 0;
  return useMemo(() => {
    const { waiting, attention } = countByState(operations ?? []);
    return { waiting, attention: attention + unreadable };
  }, [operations, unreadable]);
}

/** Something queued that this version of the app cannot read, as it was found. */
export type Quarantined = QuarantinedRow;

/** Oldest first; undefined while loading. */
export function useQuarantine(): Quarantined[] | undefined {
  const { db } = useSignedIn();
  return useLive(db.name, () => readQuarantine(db));
}

/** True while something that matches is on its way to the server, whichever tab sends it. */
function useIsInFlight(matches: (flight: InFlight) => boolean): boolean {
  const { engine } = useSignedIn();
  return useSyncExternalStore(engine.subscribe, () => engine.status().sending.some(matches));
}

/** Anything about this package or user (domain `laneOf`). */
export function useIsLaneSending(lane: string): boolean {
  return useIsInFlight((flight) => flight.lane === lane);
}

export function useIsSending(operationId: string): boolean {
  return useIsInFlight((flight) => flight.operationId === operationId);
}

/**
 * The refused operation that a form corrects, as first read: the form stays when the operation is
 * decided elsewhere. Undefined while loading; null: none of this id and name needs attention.
 */
export function useRefused<Name extends OperationName>(
  name: Name,
  id: string | null,
): OperationOf<Name> | null | undefined {
  const [found, setFound] = useState<Operation | null>(null);
  const operations = useOperations();
  if (found?.id === id) return found as OperationOf<Name>;
  if (id === null) return null;
  if (operations === undefined) return undefined;
  const now = operations.find((operation) => operation.id === id);
  if (now?.name !== name || now.state !== 'attention') return null;
  setFound(now);
  return now as OperationOf<Name>;
}
