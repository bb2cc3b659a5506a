import { readQuarantine } from '#db/queries.ts';
import type { QuarantinedRow } from '#db/user-database.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

export type Quarantined = QuarantinedRow;

/** Oldest first; undefined while loading. */
export function useQuarantine(): Quarantined[] | undefined {
  const { db } = useSignedIn();
  return useLive(db.name, () => readQuarantine(db));
}
