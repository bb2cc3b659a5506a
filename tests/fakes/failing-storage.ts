/** A phone's failing storage, below Dexie: a real (in-memory) IndexedDB with faults. */
import type { DBCoreMutateRequest, Dexie } from 'dexie';

/** The fate of one write to a table. */
export type WriteFault =
  /** Quota exceeded: the request is refused. */
  | 'full'
  /** Quota exceeded at the commit: only `abort` is fired. */
  | 'fullAtCommit'
  /** As in some browsers: `abort` is fired and the request never answered. */
  | 'abortAlone'
  /** Neither answered nor ended. */
  | 'still'
  /** Even an abort does not end it; commits when `release` is called. */
  | 'dead'
  /** The same after all requests are answered: the commit is never reported. */
  | 'deadAtCommit'
  /** Safari in the background. */
  | 'lost';

export interface FailingStorage {
  /** Applies to the next write to this table only. */
  failNext(table: string, fault: WriteFault): void;
  /** From now on nothing can be added, as 'full' has it; deleting needs no room. */
  fill(isFull: boolean): void;
  /** Ends 'dead' writes. */
  release(): void;
}

const quotaError = () => new DOMException('', 'QuotaExceededError');

function abortFor(trans: IDBTransaction, error: DOMException) {
  Object.defineProperty(trans, 'error', { get: () => error, configurable: true, set: () => {} });
  trans.abort();
}

/** Keeps a transaction open by issuing requests. */
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
  let isFull = false;

  function meet<T>(request: DBCoreMutateRequest, table: string, ask: () => Promise<T>): Promise<T> {
    const isAdding = request.type === 'add' || request.type === 'put';
    const isMeant = next?.table === table;
    if (!isMeant && !(isFull && isAdding)) return ask();
    const fault = (isMeant && next?.fault) || 'full';
    if (isMeant) next = null;
    const trans = request.trans as IDBTransaction;
    switch (fault) {
      case 'full':
        // By the specification, an error during a commit aborts it.
        trans.commit = () => {
          trans.commit = () => {};
          abortFor(trans, quotaError());
        };
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
    fill(now) {
      isFull = now;
    },
    release() {
      isReleased = true;
    },
  };
}
