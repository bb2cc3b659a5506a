import { readOperations } from '#db/queries.ts';
import type { Operation } from '#domain/operation.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

/** Everything not yet done by the server, oldest first; undefined while loading. */
export function useOperations(): Operation[] | undefined {
  const { db } = useSignedIn();
  return useLive(db.name, () => readOperations(db));
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

/** Nothing while loading. */
export function useOutboxCounts(): OutboxCounts {
  return countByState(useOperations() ?? []);
}
