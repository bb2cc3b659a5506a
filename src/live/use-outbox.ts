import { readOperations } from '#db/queries.ts';
import type { Operation } from '#domain/operation.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

/** Everything not yet done by the server, oldest first; undefined while loading. */
export function useOperations(): Operation[] | undefined {
  const { db } = useSignedIn();
  return useLive(db.name, () => readOperations(db));
}
