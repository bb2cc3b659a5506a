/**
 * Watches every transaction below Dexie's layers: failures, completed writes, hanging writes.
 *
 * When a write does not fit, some browsers only fire `abort` and never answer its pending requests;
 * some that have lost their storage fire nothing at all.
 *
 *   writing ──complete──▶ written        ──abort──▶ failed, with all pending requests
 *      └──no progress for `stillLimitMs`──▶ aborted by us ──still nothing──▶ hung
 */
import { type DBCore, type DBCoreTable, type DBCoreTransaction, Dexie } from 'dexie';
import type { Clock } from './clock.ts';

/** A write without progress for this long is aborted. */
export const stillLimitMs = 10_000;
/** If even the abort is not answered in this time, the connection is dead. */
export const abortLimitMs = 2_000;

export interface TransactionWatch {
  clock: Clock;
  /** A request or a transaction failed. */
  onFailed(error: unknown, connection: IDBDatabase): void;
  /** Something was stored. */
  onWritten(): void;
  onHung(connection: IDBDatabase): void;
}

interface Write {
  progress: number;
  /** It adds data: a deletion shows nothing about the room left. */
  isAdding: boolean;
  /** Rejects the pending requests. */
  waiting: Set<(error: unknown) => void>;
}

function abort(trans: IDBTransaction): void {
  try {
    trans.abort();
  } catch {
    // Already committing, or dead.
  }
}

/** Dexie's type lacks `db`. */
const connectionOf = (trans: DBCoreTransaction) => (trans as IDBTransaction).db;

function watchWrite(trans: IDBTransaction, watch: TransactionWatch): Write {
  const write: Write = { progress: 0, isAdding: false, waiting: new Set() };
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
        // Dexie waits for a transaction event that will never come.
        trans.onabort?.call(trans, new Event('abort'));
      });
      abort(trans);
    });
  };
  trans.addEventListener(
    'complete',
    () => {
      end();
      if (write.isAdding) watch.onWritten();
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

/** Watches all transactions of `db` from now on. Returns a function that aborts those still open. */
export function watchTransactions(db: Dexie, watch: TransactionWatch): () => void {
  const writes = new WeakMap<DBCoreTransaction, Write>();
  const open = new Set<IDBTransaction>();

  function note(trans: IDBTransaction) {
    open.add(trans);
    const forget = () => open.delete(trans);
    trans.addEventListener('complete', forget);
    trans.addEventListener('abort', forget);
  }

  /** Settles with the request, or rejects with its transaction if that ends first. */
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
          // The request says only that it was aborted, the transaction why.
          const { error: reason } = trans as IDBTransaction;
          reject(reason ? new Dexie.AbortError('The transaction was aborted.', reason) : error);
        },
      );
    });
  }

  function watchedTable(table: DBCoreTable): DBCoreTable {
    return {
      ...table,
      mutate: (request) => {
        const write = writes.get(request.trans);
        if (write && (request.type === 'add' || request.type === 'put')) write.isAdding = true;
        return answer(request.trans, table.mutate(request)).then((response) => {
          // Failed writes are reported per row.
          if (response.numFailures > 0) {
            const connection = connectionOf(request.trans);
            for (const error of Object.values(response.failures)) watch.onFailed(error, connection);
          }
          return response;
        });
      },
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
    // Below Dexie's own middleware.
    level: -10,
    create: (down: DBCore): Partial<DBCore> => ({
      transaction(stores, mode, options) {
        const trans = down.transaction(stores, mode, options);
        note(trans as IDBTransaction);
        if (mode === 'readwrite') writes.set(trans, watchWrite(trans as IDBTransaction, watch));
        return trans;
      },
      table: (name) => watchedTable(down.table(name)),
    }),
  });
  return () => {
    for (const trans of open) abort(trans);
  };
}
