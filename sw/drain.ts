/**
 * Drains the outbox while no tab is open: the same engine, database and lease as in a tab, for the
 * user signed in on this device.
 *
 * Invariant: it never ends a session. If the refresh is refused, the queue stays and the verdict is
 * stored, so that the next tab can show it even offline.
 */
import { createApi } from '#api/api.ts';
import { readIsPlain } from '#db/backend.ts';
import { systemClock } from '#db/clock.ts';
import { DeviceDatabase, finishWipes, keepVerdict, readSession } from '#db/device-database.ts';
import { countPending } from '#db/queries.ts';
import { UserDatabase } from '#db/user-database.ts';
import { wipeUser } from '#db/wipe.ts';
import type { Verdict } from '#domain/outcome.ts';
import { tileCacheName } from '#domain/tile-source.ts';
import { createBroadcastChannel, createSessionChannel } from '#sync/coordination/channel.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createSyncEngine, type SyncEngine } from '#sync/engine.ts';
import { showAppBadge } from '#sync/outbox/background.ts';

async function onDevice<T>(work: (device: DeviceDatabase) => Promise<T>): Promise<T> {
  const device = new DeviceDatabase();
  try {
    return await work(device);
  } finally {
    device.close();
  }
}

/** The id of the signed-in user; null: none. */
export const whoIsSignedIn = (): Promise<string | null> =>
  onDevice(async (device) => {
    await finishWipes(device);
    return (await readSession(device))?.userId ?? null;
  });

const noteVerdict = (userId: string, verdict: Verdict): Promise<void> =>
  onDevice(async (device) => {
    await keepVerdict(device, userId, verdict);
    await finishWipes(device);
  });

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
    isPlain: () => readIsPlain(db),
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
      makeRoom: () => caches.delete(tileCacheName),
    },
  });
}

const makeWay = createBroadcastChannel('kaya-make-way');
/** Aborted once a newer worker takes over. */
const replaced = new AbortController();
makeWay.listen(() => replaced.abort());

/**
 * Ends the drains of the worker that this one replaces, also those of syncs to come; the next drain
 * resends what was in flight, under the same keys. A broadcast reaches only a worker that runs: a
 * message would wake a stopped one, and Chromium replaces a worker that it has just started only
 * after 30 s.
 */
export const stopFormerDrains = (): void => makeWay.post(null);

/** Pushes and pulls. Rejects if a retry may help: the browser then wakes the worker again. */
export async function drainOutbox(): Promise<void> {
  replaced.signal.throwIfAborted();
  let engine: SyncEngine | null = null;
  let isStopped = false;
  const stop = async () => {
    isStopped = true;
    await engine?.stop();
  };
  // Before reading who is signed in, so that a later log-out is noticed.
  const stopListening = createSessionChannel().listen(() => void stop());
  replaced.signal.addEventListener('abort', stop);
  try {
    const userId = await whoIsSignedIn();
    if (userId === null) return;
    const db = new UserDatabase(userId);
    const endings: Promise<void>[] = [];
    engine = createEngine(db, (verdict) => endings.push(noteVerdict(userId, verdict)));
    try {
      if (isStopped) await engine.stop();
      const waiting = await engine.drain();
      await engine.stop();
      await Promise.all(endings);
      if ((await whoIsSignedIn()) !== userId) return await wipeUser(db);
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
    replaced.signal.removeEventListener('abort', stop);
  }
}
