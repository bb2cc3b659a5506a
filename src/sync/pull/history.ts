/**
 * The events of packages, beside the mirror: a row's version says whether they are up to date. Read
 * when a package is opened and, for the few that are being carried, after a pull.
 */
import { ApiFailure } from '#api/failure.ts';
import type { UserDatabase } from '#db/user-database.ts';
import type { Cancellation } from '#sync/coordination/cancellation.ts';
import type { Ports } from '#sync/ports.ts';

/** Requests of one call. */
const fewHistories = 8;

interface Needs {
  db: UserDatabase;
  ports: Pick<Ports, 'api'>;
  cancellation: Cancellation;
}

/** The outdated ones of these, by the version they are to be read for; drops those without a row. */
function findDue(db: UserDatabase, ids: readonly string[]) {
  return db.transaction('rw', [db.packages, db.events], async () => {
    const kept = await db.events.toCollection().primaryKeys();
    const owners = await db.packages.bulkGet(kept);
    await db.events.bulkDelete(kept.filter((_, index) => owners[index] === undefined));
    const [rows, histories] = await Promise.all([
      db.packages.bulkGet([...ids]),
      db.events.bulkGet([...ids]),
    ]);
    return rows.flatMap((row, index) =>
      row && histories[index]?.version !== row.version
        ? { packageId: row.id, version: row.version }
        : [],
    );
  });
}

/**
 * One after another, up to the first that cannot be read: a server of before has none. What an answer
 * that was overtaken leaves behind is of an older version, and read again.
 */
export async function readHistories(
  { db, ports, cancellation }: Needs,
  ids: readonly string[],
): Promise<void> {
  const { unlessStopped, track } = cancellation;
  const due = await track(findDue(db, ids));
  for (const one of due.slice(0, fewHistories)) {
    try {
      const events = await unlessStopped(ports.api.listEvents(one.packageId));
      await track(
        db.transaction('rw', [db.packages, db.events], async () => {
          if (await db.packages.get(one.packageId)) await db.events.put({ ...one, events });
        }),
      );
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return;
    }
  }
}
