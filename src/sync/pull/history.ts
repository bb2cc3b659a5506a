/**
 * The events of packages, beside the mirror: a row's version says whether they are up to date. Read
 * when a package is opened and, for the few that are being carried, after a pull.
 */
import { ApiFailure } from '#api/failure.ts';
import { eventsPerPage, type WireEvent } from '#contract/event.ts';
import type { History, UserDatabase } from '#db/user-database.ts';
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

/** Are there more before these? */
const isPage = (events: readonly WireEvent[]) => events.length === eventsPerPage;

/** With the kept ones before it, if no event is missing between them. */
function joined(
  kept: History | undefined,
  page: WireEvent[],
): Pick<History, 'events' | 'hasOlder'> {
  const [first] = page;
  const at = kept?.events.findIndex(({ _id }) => _id === first?._id) ?? -1;
  if (!isPage(page) || !kept || at < 0) return { events: page, hasOlder: isPage(page) };
  return { events: [...kept.events.slice(0, at), ...page], hasOlder: kept.hasOlder ?? false };
}

/**
 * One after another, up to the first that cannot be read: a plain server has none. An overtaken
 * response stores an older version, which is read again.
 */
export async function readHistories(
  { db, ports, cancellation }: Needs,
  ids: readonly string[],
): Promise<void> {
  const { unlessStopped, track } = cancellation;
  const due = await track(findDue(db, ids));
  for (const one of due.slice(0, fewHistories)) {
    try {
      const page = await unlessStopped(ports.api.listEvents(one.packageId));
      await track(
        db.transaction('rw', [db.packages, db.events], async () => {
          if (!(await db.packages.get(one.packageId))) return;
          const kept = await db.events.get(one.packageId);
          await db.events.put({ ...one, ...joined(kept, page) });
        }),
      );
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return;
    }
  }
}

/** Reads the page before the package's stored events; false if the server cannot be asked. */
export async function readOlderEvents(
  { db, ports, cancellation }: Needs,
  packageId: string,
): Promise<boolean> {
  const { unlessStopped, track } = cancellation;
  const first = (await track(db.events.get(packageId)))?.events[0];
  if (!first) return true;
  let page: WireEvent[];
  try {
    page = await unlessStopped(ports.api.listEvents(packageId, first.seq));
  } catch (error) {
    if (error instanceof ApiFailure) return false;
    throw error;
  }
  await track(
    db.transaction('rw', [db.events], async () => {
      const kept = await db.events.get(packageId);
      // Read again in between, or by another tab.
      if (kept?.events[0]?._id !== first._id) return;
      const older = page.filter(({ seq }) => seq < first.seq);
      await db.events.put({ ...kept, events: [...older, ...kept.events], hasOlder: isPage(page) });
    }),
  );
  return true;
}
