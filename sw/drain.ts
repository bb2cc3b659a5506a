/**
 * Emptying the outbox with no tab open (DESIGN.md section 5, guarantee 9): the same engine over the
 * same database, under the same lease as the tabs, in the name of whoever is signed in here.
 *
 * Invariant: it never ends a session. Where refreshing is refused, queue and device stay as they
 * are, and the next tab that opens finds out and says so.
 */
import { createApi } from '#api/api.ts';
import { DeviceDatabase, readSession } from '#db/device-database.ts';
import { finishWipes } from '#db/due-wipes.ts';
import { countUndone } from '#db/queries.ts';
import { UserDatabase, wipeMirror } from '#db/user-database.ts';
import { showAppBadge } from '#sync/app-badge.ts';
import { createBroadcastChannel } from '#sync/broadcast-channel.ts';
import { createSyncEngine, type SyncEngine } from '#sync/engine.ts';
import { createSessionChannel } from '#sync/session-channel.ts';
import { systemClock } from '#sync/system-clock.ts';
import { createLocks } from '#sync/web-locks.ts';

/** The id of the user; null: nobody. */
export async function whoIsSignedIn(): Promise<string | null> {
  const device = new DeviceDatabase();
  try {
    await finishWipes(device);
    return (await readSession(device))?.userId ?? null;
  } finally {
    device.close();
  }
}

function createEngine(db: UserDatabase): SyncEngine {
  const { userId } = db;
  let token: string | null = null;
  const locks = createLocks();
  const api = createApi({
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    locks,
    expectedUserId: () => userId,
    onSessionEnded: () => undefined,
  });
  return createSyncEngine({
    ...{ db, userId },
    ports: {
      ...{ api, locks, clock: systemClock, random: Math.random },
      newId: () => crypto.randomUUID(),
      channel: createBroadcastChannel(`kaya-sync-${userId}`),
    },
  });
}

/** What ends each drain under way. */
const stops = new Set<() => Promise<void>>();

/** What is on its way is sent again, under the same key, by whoever drains next. */
export async function stopDraining(): Promise<void> {
  await Promise.all([...stops].map((stop) => stop()));
}

/**
 * Sends what waits, and brings what is new. Rejects where something still waits and trying again
 * may help: the browser then wakes the worker once more.
 */
export async function drainOutbox(): Promise<void> {
  let stop: () => Promise<void> = async () => undefined;
  const stopIt = () => stop();
  stops.add(stopIt);
  // Before looking who is signed in: whoever logs out after that is heard.
  const stopListening = createSessionChannel().listen(() => void stopIt());
  try {
    const userId = await whoIsSignedIn();
    if (userId === null) return;
    const db = new UserDatabase(userId);
    const engine = createEngine(db);
    stop = () => engine.stop();
    try {
      const waiting = await engine.drain();
      await engine.stop();
      if ((await whoIsSignedIn()) !== userId) return await wipeMirror(db);
      showAppBadge(await countUndone(db));
      if (waiting > 0 && !engine.status().isPaused) {
        throw new Error(`${waiting} operations could not be sent yet.`);
      }
    } finally {
      await engine.stop();
      db.close();
    }
  } finally {
    stopListening();
    stops.delete(stopIt);
  }
}
