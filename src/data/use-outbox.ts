import { useMemo, useSyncExternalStore } from 'react';
import type { Operation } from '#domain/operation.ts';
import { useSignedIn } from './services.ts';
import { useQuarantine } from './use-quarantine.ts';

/** Operations the server has not applied, oldest first; undefined while loading. */
export function useOperations(): readonly Operation[] | undefined {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, () => packages.state().operations);
}

/** False while the outbox is neither read nor known to be unreadable. */
export function useIsOutboxRead(): boolean {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, () => {
    const { operations, failure } = packages.state();
    return operations !== undefined || failure !== null;
  });
}

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
