/**
 * Emptying the outbox with no tab open: the same engine over the
 * same database, under the same lease as the tabs, for the user who is signed in here.
 *
 * Invariant: it never ends a session. Where refreshing is refused the queue stays as it is and the
 * device keeps the verdict, so that the next tab that opens says so, also without a network.
 */
import { createApi } from '#api/api.ts';
import { systemClock } from '#db/clock.ts';
import { DeviceDatabase, finishWipes, keepVerdict, readSession } from '#db/device-database.ts';
import { countPending } from '#db/queries.ts';
import { UserDatabase, wipeMirror } from '#db/user-database.ts';
import type { Verdict } from '#domain/outcome.ts';
import { createBroadcastChannel, createSessionChannel } from '#sync/coordination/channel.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createSyncEngine, type SyncEngine } from '#sync/engine.ts';
import { showAppBadge } from '#sync/outbox/background.ts';

/** The id of the signed-in user; null: none. */
export async function whoIsSignedIn(): Promise<string | null> {
  const device = new DeviceDatabase();
  try {
    await finishWipes(device);
    return (await readSession(device))?.userId ?? null;
  } finally {
    device.close();
  }
}

async function noteVerdict(userId: string, verdict: Verdict): Promise<void> {
  const device = new DeviceDatabase();
  try {
    await keepVerdict(device, userId, verdict);
    await finishWipes(device);
  } finally {
    device.close();
  }
}

function createEngine(db: UserDatabase, onSessionEnded: (verdict: Verdict) => void): SyncEngine {
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
    onSessionEnded,
  });
  return createSyncEngine({
    db,
    userId,
    ports: {
      api,
      locks,
      clock: systemClock,
      random: Math.random,
      newId: () => crypto.randomUUID(),
      channel: createBroadcastChannel(`kaya-sync-${userId}`),
    },
  });
}

/** What ends each drain under way. */
const stops = new Set<() => Promise<void>>();

/** What is on its way is sent again, under the same key, by the next drain. */
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
  // Before looking who is signed in: a log-out after that is heard.
  const stopListening = createSessionChannel().listen(() => void stopIt());
  try {
    const userId = await whoIsSignedIn();
    if (userId === null) return;
    const db = new UserDatabase(userId);
    const endings: Promise<void>[] = [];
    const engine = createEngine(db, (verdict) => endings.push(noteVerdict(userId, verdict)));
    stop = () => engine.stop();
    try {
      const waiting = await engine.drain();
      await engine.stop();
      await Promise.all(endings);
      if ((await whoIsSignedIn()) !== userId) return await wipeMirror(db);
      showAppBadge(await countPending(db));
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
