/** Reports a connection's outbox writes once their transaction commits. */
import type { DBCoreMutateRequest, DBCoreTransaction } from 'dexie';
import type { OutboxRow, UserDatabase } from '#db/user-database.ts';

export interface OutboxListener {
  /** `before`: the row removed in the same transaction right before; undefined: none was. */
  onAdded(row: OutboxRow, before: OutboxRow | undefined): void;
  onChanged(row: OutboxRow, before: OutboxRow): void;
  onRemoved(row: OutboxRow): void;
}

/** `rows`: of this database by `seq`, shared by all its connections. */
export function tapOutbox(
  db: UserDatabase,
  rows: Map<number, OutboxRow>,
  listener: OutboxListener,
): void {
  const gone = new WeakMap<DBCoreTransaction, OutboxRow>();
  const written = new WeakMap<DBCoreTransaction, (() => void)[]>();

  function put(row: OutboxRow): void {
    const before = rows.get(row.seq);
    rows.set(row.seq, structuredClone(row));
    if (before) listener.onChanged(row, before);
  }

  function remove(seq: number, trans: DBCoreTransaction): void {
    const row = rows.get(seq);
    if (!row) return;
    rows.delete(seq);
    gone.set(trans, row);
    listener.onRemoved(row);
  }

  /** The database assigns the number of an added row. */
  function add(row: OutboxRow, seq: number, trans: DBCoreTransaction): void {
    rows.set(seq, structuredClone({ ...row, seq }));
    listener.onAdded(row, gone.get(trans));
    gone.delete(trans);
  }

  function hear(request: DBCoreMutateRequest, lastSeq: number): void {
    if (request.type === 'add') for (const row of request.values) add(row, lastSeq, request.trans);
    if (request.type === 'put') for (const row of request.values) put(row);
    if (request.type === 'delete') for (const seq of request.keys) remove(seq, request.trans);
  }

  /** Aborted writes never happened: a tab that lost its lease may find out mid-transaction. */
  function onceThrough(trans: DBCoreTransaction, work: () => void): void {
    const known = written.get(trans);
    if (known) {
      known.push(work);
      return;
    }
    const all = [work];
    written.set(trans, all);
    // Dexie passes the browser's transaction on as its own type.
    (trans as unknown as IDBTransaction).addEventListener('complete', () => {
      for (const one of all) one();
    });
  }

  db.use({
    stack: 'dbcore',
    name: 'outbox-tap',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name);
        if (name !== 'outbox') return table;
        return {
          ...table,
          mutate: (request) =>
            table.mutate(request).then((answer) => {
              onceThrough(request.trans, () => hear(request, answer.lastResult));
              return answer;
            }),
        };
      },
    }),
  });
}
