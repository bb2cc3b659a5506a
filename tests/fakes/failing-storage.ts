/**
 * A phone's storage that fails, under a real (in-memory) IndexedDB: below all of Dexie's layers and
 * the product's own, as a browser would.
 */
import type { DBCoreMutateRequest, Dexie } from 'dexie';

/** What one write to a table meets. */
export type WriteFault =
  /** No room: the request is refused. */
  | 'full'
  /** No room, found out at the commit: nothing but `abort` is fired. */
  | 'fullAtCommit'
  /** As some browsers do it: `abort` is fired and the request never answered. */
  | 'abortAlone'
  /** Neither answered nor ended. */
  | 'still'
  /** Not even an abort ends it; it commits once `release` is called. */
  | 'dead'
  /** The same, once all that was asked is answered: nothing is heard of the commit. */
  | 'deadAtCommit'
  /** Safari in the background. */
  | 'lost';

export interface FailingStorage {
  /** The next write to this table meets it; the ones after do not. */
  failNext(table: string, fault: WriteFault): void;
  /** Ends what is 'dead'. */
  release(): void;
}

const quotaError = () => new DOMException('', 'QuotaExceededError');

function abortFor(trans: IDBTransaction, error: DOMException) {
  Object.defineProperty(trans, 'error', { get: () => error, configurable: true, set: () => {} });
  trans.abort();
}

/** Keeps a transaction from ending by asking it for more and more. */
function spin(trans: IDBTransaction, table: string, isOver: () => boolean) {
  const again = () => {
    if (isOver()) return;
    const request = trans.objectStore(table).count();
    request.onsuccess = again;
  };
  again();
}

export function failStorage(db: Dexie): FailingStorage {
  let next: { table: string; fault: WriteFault } | null = null;
  let isReleased = false;

  function meet<T>(request: DBCoreMutateRequest, table: string, ask: () => Promise<T>): Promise<T> {
    if (next?.table !== table) return ask();
    const { fault } = next;
    next = null;
    const trans = request.trans as IDBTransaction;
    switch (fault) {
      case 'full':
        // By the specification, an error in what is being committed aborts it.
        trans.commit = () => abortFor(trans, quotaError());
        return Promise.reject(quotaError());
      case 'lost':
        return Promise.reject(new DOMException('', 'UnknownError'));
      case 'abortAlone':
        abortFor(trans, quotaError());
        return new Promise(() => {});
      case 'fullAtCommit': {
        const asked = ask();
        asked.then(() => abortFor(trans, quotaError()));
        return asked;
      }
      case 'still': {
        let isAborted = false;
        trans.addEventListener('abort', () => {
          isAborted = true;
        });
        spin(trans, table, () => isAborted);
        return new Promise(() => {});
      }
      case 'dead':
        trans.abort = () => {};
        spin(trans, table, () => isReleased);
        void ask();
        return new Promise(() => {});
      case 'deadAtCommit':
        trans.abort = () => {};
        trans.oncomplete = null;
        spin(trans, table, () => isReleased);
        return ask();
    }
  }

  db.use({
    stack: 'dbcore',
    name: 'failing-storage',
    level: -20,
    create: (down) => ({
      table(name) {
        const table = down.table(name);
        return {
          ...table,
          mutate: (request) => meet(request, name, () => table.mutate(request)),
        };
      },
    }),
  });
  return {
    failNext(table, fault) {
      next = { table, fault };
    },
    release() {
      isReleased = true;
    },
  };
}
