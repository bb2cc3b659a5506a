import { useMemo, useSyncExternalStore } from 'react';
import type { Operation } from '#domain/operation.ts';
import { useSignedIn } from './services.ts';
import { useQuarantine } from './use-quarantine.ts';

/** Everything not yet done by the server, oldest first; undefined while loading. */
export function useOperations(): readonly Operation[] | undefined {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, () => packages.state().operations);
}

/** False: what waits is not known yet, nor that it cannot be. */
export function useIsOutboxRead(): boolean {
  const { packages } = useSignedIn();
  return useSyncExternalStore(packages.subscribe, () => {
    const { operations, failure } = packages.state();
    return operations !== undefined || failure !== null;
  });
}

/** How much is not done by the server: on its way, and refused until the person decides. */
export interface OutboxCounts {
  waiting: number;
  attention: number;
}

export function countByState(operations: readonly Pick<Operation, 'state'>[]): OutboxCounts {
  const attention = operations.filter(({ state }) => state === 'attention').length;
  return { attention, waiting: operations.length - attention };
}

/** What cannot be read needs attention too. Nothing while loading. */
export function useOutboxCounts(): OutboxCounts {
  const operations = useOperations();
  const unreadable = useQuarantine()?.length ?? 0;
  return useMemo(() => {
    const { waiting, attention } = countByState(operations ?? []);
    return { waiting, attention: attention + unreadable };
  }, [operations, unreadable]);
}
