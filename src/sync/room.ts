/**
 * On a full phone, caches are deleted before someone's work is refused, in this order. Deleting
 * needs no room.
 *
 *   write ──full──▶ map tiles ──still full──▶ mirrored rows that nobody works on ──▶ refused
 *
 * The engine's notes to itself make do with the tiles: each of them can do without the phone's
 * storage (decision 0092), and the mirror would only be pulled again.
 */
import { storageFaultOf } from '#db/storage-fault.ts';
import type { UserDatabase } from '#db/user-database.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import type { Ports } from './ports.ts';

export interface RoomNeeds {
  db: UserDatabase;
  ports: Pick<Ports, 'makeRoom'>;
}

const isEnded: Readonly<Record<DeliveryStatus, boolean>> = {
  pending: false,
  'in-transit': false,
  delivered: true,
  cancelled: true,
};

/**
 * Drops histories, and final packages without queued operations; the next pull starts over and
 * brings them back. False: there were none.
 */
function thinMirror(db: UserDatabase): Promise<boolean> {
  return db.transaction('rw', [db.packages, db.events, db.lists, db.outbox], async () => {
    const busy = new Set((await db.outbox.toArray()).map(({ targetId }) => targetId));
    const ended = await db.packages
      .filter(({ id, status }) => isEnded[status] && !busy.has(id))
      .primaryKeys();
    const histories = await db.events.toCollection().primaryKeys();
    await db.packages.bulkDelete(ended);
    await db.events.bulkDelete(histories);
    if (ended.length > 0) await db.lists.delete('packages');
    return ended.length + histories.length > 0;
  });
}

export const isFull = (cause: unknown): boolean => storageFaultOf(cause) === 'full';

/** Runs `write` until it fits, or nothing is left to delete. `isWork`: it is a person's. */
export async function inRoom<T>(
  { db, ports }: RoomNeeds,
  write: () => Promise<T>,
  { isWork = false } = {},
): Promise<T> {
  const ways = [() => ports.makeRoom?.(), ...(isWork ? [() => thinMirror(db)] : [])];
  for (;;) {
    try {
      return await write();
    } catch (cause) {
      if (!isFull(cause)) throw cause;
      let isFreed = false;
      while (!isFreed) {
        const way = ways.shift();
        if (!way) throw cause;
        isFreed = (await Promise.resolve(way()).catch(() => false)) ?? false;
      }
    }
  }
}
