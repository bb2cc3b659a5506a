import { dropDrafts } from './proofs.ts';
import { storageFaultOf } from './storage-fault.ts';
import { raiseFence, type UserDatabase } from './user-database.ts';

/** Removes a signed-out user's mirror and the pictures of deliveries not recorded. */
export async function wipeUser(db: UserDatabase): Promise<void> {
  await db.transaction('rw', [db.proofs, db.outbox], () => dropDrafts(db));
  await wipeMirror(db);
}

/**
 * Empties the mirror, never the outbox. The raised fence keeps requested pages out of it. The
 * working area stays: it is this person's setting of this phone, like their notifications, and a
 * repaired mirror must not suddenly list everywhere.
 */
export async function wipeMirror(db: UserDatabase): Promise<void> {
  const mirror = [db.packages, db.events, db.users, db.lists, db.seen];
  const wipe = (raise: () => Promise<unknown>) =>
    db.transaction('rw', [...mirror, db.meta, db.lease], async () => {
      await Promise.all(mirror.map((table) => table.clear()));
      await db.meta.bulkDelete(['lastPulledAt', 'payments']);
      await raise();
    });
  try {
    await wipe(() => raiseFence(db));
  } catch (cause) {
    if (storageFaultOf(cause) !== 'full') throw cause;
    // Without it no former fence holds either, and a log-out needs no room.
    await wipe(() => db.lease.delete('lease'));
  }
}
