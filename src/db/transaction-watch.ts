/**
 * Watching every transaction of a database from below Dexie's own layers: which failed and of what,
 * which are written, and which stand still.
 *
 * Some browsers end a write that does not fit by firing `abort` alone, and requests that were under
 * way are never answered; some, having lost their storage, fire nothing at all.
 *
 *   writing ──complete──▶ written        ──abort──▶ failed, with all that was asked of it
 *      └──no progress for `stillLimitMs`──▶ aborted by us ──still nothing──▶ hung
 */
import { type DBCore, type DBCoreTable, type DBCoreTransaction, Dexie } from 'dexie';
import type { Clock } from './clock.ts';

/** A write without any progress for so long is aborted. */
export const stillLimitMs = 10_000;
/** And if not even that was answered after so long, the connection is dead. */
export const abortLimitMs = 2_000;

export interface TransactionWatch {
  clock: Clock;
  /** A request or a transaction failed. */
  onFailed(error: unknown, connection: IDBDatabase): void;
  /** A write is on the disk. */
  onWritten(): void;
  /** A write ended in nothing. */
  onHung(connection: IDBDatabase): void;
}

interface Write {
  progress: number;
  /** How to fail what was asked and is not answered yet. */
  waiting: Set<(error: unknown) => void>;
}

/** Dexie's type says less than the browser's transaction is. */
const connectionOf = (trans: DBCoreTransaction) => (trans as IDBTransaction).db;

function watchWrite(trans: IDBTransaction, watch: TransactionWatch): Write {
  const write: Write = { progress: 0, waiting: new Set() };
  let cancel = () => {};
  const listening = new AbortController();
  const { signal } = listening;
  const end = () => {
    cancel();
    listening.abort();
  };
  const failAll = () => {
    const error = new Dexie.AbortError('The transaction was aborted.', trans.error ?? undefined);
    for (const fail of write.waiting) fail(error);
    write.waiting.clear();
  };
  const look = () => {
    const before = write.progress;
    cancel = watch.clock.after(stillLimitMs, () => {
      if (write.progress !== before) return look();
      cancel = watch.clock.after(abortLimitMs, () => {
        end();
        watch.onHung(trans.db);
        failAll();
        // Dexie waits for one of the transaction's events, and none is going to come.
        trans.onabort?.call(trans, new Event('abort'));
      });
      try {
        trans.abort();
      } catch {
        // It is past aborting: being committed, or dead.
      }
    });
  };
  trans.addEventListener(
    'complete',
    () => {
      end();
      watch.onWritten();
    },
    { signal },
  );
  trans.addEventListener(
    'abort',
    () => {
      end();
      if (trans.error) watch.onFailed(trans.error, trans.db);
      failAll();
    },
    { signal },
  );
  look();
  return write;
}

/** Watches all transactions of `db` from now on. */
export function watchTransactions(db: Dexie, watch: TransactionWatch): void {
  const writes = new WeakMap<DBCoreTransaction, Write>();

  /** The answer of one request, or the end of its transaction if that comes first. */
  function answer<T>(trans: DBCoreTransaction, asked: PromiseLike<T>): Promise<T> {
    const write = writes.get(trans);
    return new Dexie.Promise<T>((resolve, reject) => {
      write?.waiting.add(reject);
      asked.then(
        (value) => {
          if (write) {
            write.waiting.delete(reject);
            write.progress += 1;
          }
          resolve(value);
        },
        (error: unknown) => {
          write?.waiting.delete(reject);
          watch.onFailed(error, connectionOf(trans));
          reject(error);
        },
      );
    });
  }

  function watchedTable(table: DBCoreTable): DBCoreTable {
    return {
      ...table,
      mutate: (request) =>
        answer(request.trans, table.mutate(request)).then((response) => {
          // A failed write is reported here, row by row.
          if (response.numFailures > 0) {
            const connection = connectionOf(request.trans);
            for (const error of Object.values(response.failures)) watch.onFailed(error, connection);
          }
          return response;
        }),
      get: (request) => answer(request.trans, table.get(request)),
      getMany: (request) => answer(request.trans, table.getMany(request)),
      query: (request) => answer(request.trans, table.query(request)),
      count: (request) => answer(request.trans, table.count(request)),
      openCursor: (request) => answer(request.trans, table.openCursor(request)),
    };
  }

  db.use({
    stack: 'dbcore',
    name: 'transaction-watch',
    // Under all of Dexie's own.
    level: -10,
    create: (down: DBCore): Partial<DBCore> => ({
      transaction(stores, mode, options) {
        const trans = down.transaction(stores, mode, options);
        if (mode === 'readwrite') writes.set(trans, watchWrite(trans as IDBTransaction, watch));
        return trans;
      },
      table: (name) => watchedTable(down.table(name)),
    }),
  });
}
