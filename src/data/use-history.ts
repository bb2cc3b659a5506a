import { useEffect } from 'react';
import { readHistory } from '#db/queries.ts';
import { useSignedIn } from './services.ts';
import { useSyncStatus } from './use-connection.ts';
import { useLive } from './use-live.ts';

/** The stored history, without a request. */
export function useKnownHistory(id: string) {
  const { db } = useSignedIn();
  return useLive(`${db.name} ${id}`, () => readHistory(db, id));
}

/**
 * A package's stored history; fetched again when `version`, its row's, changes. Undefined: none
 * stored yet, or a plain server.
 */
export function useHistory(id: string, version: number) {
  const { engine } = useSignedIn();
  const history = useKnownHistory(id);
  const isWell = useSyncStatus().lastFailure === null;
  const known = history?.version;
  useEffect(() => {
    if (isWell && known !== version) engine.readHistories([id]).catch(() => undefined);
  }, [engine, id, version, known, isWell]);
  return history;
}
