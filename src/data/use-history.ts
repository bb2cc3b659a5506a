import { useEffect } from 'react';
import { readHistory } from '#db/queries.ts';
import { useSignedIn } from './services.ts';
import { useSyncStatus } from './use-connection.ts';
import { useLive } from './use-live.ts';

/**
 * What happened to a package, as this phone knows it; read again when `version`, that of its row,
 * changes. Undefined: nothing here yet, or a server of before.
 */
export function useHistory(id: string, version: number) {
  const { db, engine } = useSignedIn();
  const history = useLive(`${db.name} ${id}`, () => readHistory(db, id));
  const isWell = useSyncStatus().lastFailure === null;
  const known = history?.version;
  useEffect(() => {
    if (isWell && known !== version) engine.readHistories([id]).catch(() => undefined);
  }, [engine, id, version, known, isWell]);
  return history;
}
