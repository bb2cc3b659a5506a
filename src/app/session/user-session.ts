/** Databases and engine of the signed-in user: the part of the session that uses storage. */
import type { Api } from '#api/api.ts';
import { bufferEvents } from '#app/background/event-buffer.ts';
import { importWithRetry } from '#app/routes/chunks.tsx';
import { listAddress } from '#app/routes/list-address.ts';
import type { UserInfo } from '#contract/auth.ts';
import { createLazyStore } from '#data/lazy-store.ts';
import { newId } from '#data/new-id.ts';
import type { SignedIn } from '#data/services.ts';
import { systemClock } from '#db/clock.ts';
import {
  clearSession,
  type DeviceDatabase,
  type DeviceSession,
  finishWipes,
  keepVerdict,
  noteWiped,
  readSession,
  renewSession,
  writeSession,
} from '#db/device-database.ts';
import type { StorageFault } from '#db/failure.ts';
import type { ResilientDatabase } from '#db/resilient-database.ts';
import { UserDatabase, wipeMirror, wipeUser } from '#db/user-database.ts';
import type { Verdict } from '#domain/outcome.ts';
import { tileCacheName } from '#domain/tile-source.ts';
import { createBroadcastChannel } from '#sync/coordination/channel.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createLazyEngine } from '#sync/lazy-engine.ts';
import { afterFirstScreen } from '#ui/first-screen.ts';
import { findStorage, type PhoneStorage } from './phone-storage.ts';

const open = new Set<ResilientDatabase>();
let reportFault = (_: StorageFault | null) => {};

const showFault = () => {
  const faults = [...open].map(({ storage }) => storage.fault());
  reportFault(faults.find((fault) => fault !== null) ?? null);
};

function watch<D extends ResilientDatabase>(db: D): D {
  open.add(db);
  db.storage.subscribe(showFault);
  showFault();
  return db;
}

/** Calls back with the current storage fault of this page's databases, now and on each change. */
export function onStorageFault(listener: (fault: StorageFault | null) => void): void {
  reportFault = listener;
  showFault();
}

let found: PhoneStorage | null = null;
let finding: Promise<PhoneStorage> | null = null;

async function device(): Promise<DeviceDatabase> {
  finding ??= findStorage((db) => {
    open.clear();
    watch(db);
  }).then(async (storage) => {
    await finishWipes(storage.device, storage.options);
    return storage;
  });
  found = await finding;
  return found.device;
}

/** True if storage lasts only as long as this page. */
export const isInMemory = () => found?.options.isInMemory === true;

export async function heldSession(): Promise<DeviceSession | null> {
  return readSession(await device());
}

export async function rememberSession(session: DeviceSession): Promise<void> {
  await writeSession(await device(), session);
}

/** Unlike `rememberSession`, never after a log-out that began while the server was asked. */
export async function keepSession(session: DeviceSession): Promise<void> {
  await renewSession(await device(), session);
}

export async function forgetSession(): Promise<void> {
  await clearSession(await device());
}

/** Never rejects: if the verdict is not stored, the next start asks the server again. */
export async function noteVerdict(userId: string, verdict: Verdict): Promise<void> {
  const keeping = device().then((db) => keepVerdict(db, userId, verdict));
  await keeping.catch(() => undefined);
}

/** Resumes the engine after a storage fault, stops it once a newer version took over. */
function followStorage({ db, engine }: Pick<SignedIn, 'db' | 'engine'>): void {
  db.storage.subscribe(() => {
    const fault = db.storage.fault();
    if (fault === 'outdated' || fault === 'newer') void engine.stop();
    else if (fault === null) engine.request('visible');
  });
}

/** Opens the user's database with an engine that is idle until requested. */
export function openUser(userInfo: UserInfo, api: Api): SignedIn {
  const db = watch(new UserDatabase(userInfo.id, found?.options));
  const engine = createLazyEngine(async () => {
    await afterFirstScreen();
    const { createSyncEngine } = await import('#sync/engine.ts');
    return createSyncEngine({
      db,
      userId: db.userId,
      ports: {
        api,
        locks: createLocks(),
        channel: createBroadcastChannel(`kaya-sync-${db.userId}`),
        clock: systemClock,
        random: Math.random,
        newId,
        makeRoom: () => caches.delete(tileCacheName),
      },
      // biome-ignore lint/suspicious/noConsole: a fault of the product belongs in the error console.
      onFault: (cause) => console.error(cause),
    });
  });
  bufferEvents(engine);
  const packages = createLazyStore(async () => {
    const { openPackageStore } = await importWithRetry(() => import('#data/package-store.ts'));
    return openPackageStore({ db, userInfo, clock: systemClock, untilShown: afterFirstScreen });
  });
  followStorage({ db, engine });
  return { userInfo, db, engine, packages, api };
}

/** A database that does not answer must not hold the screen. */
const rowsLimitMs = 1_000;

/** Resolves once the first rows of a list at this address are read: it is then rendered once. */
export async function readFirstRows({ packages }: SignedIn): Promise<void> {
  if (!listAddress.test(window.location.pathname)) return;
  await new Promise<void>((resolve) => {
    setTimeout(resolve, rowsLimitMs);
    const stop = packages.subscribe(() => {
      const { views, failure } = packages.state();
      if (views === undefined && failure === null) return;
      stop();
      resolve();
    });
  });
}

async function emptyMirror(db: UserDatabase, wipe = wipeUser): Promise<void> {
  await wipe(db);
  await noteWiped(await device(), db.userId);
}

/** Stops the engine; clears the mirror if `isWiped`, never the outbox. */
export async function closeUser(
  { engine, db, packages }: SignedIn,
  isWiped: boolean,
): Promise<void> {
  packages.close();
  await engine.stop();
  if (isWiped) await emptyMirror(db);
  db.close();
  open.delete(db);
  showFault();
}

/** Number of operations waiting to be sent; 0 if the database fails. */
export async function countUnsent(db: UserDatabase): Promise<number> {
  const waiting = db.outbox.filter(({ state }) => state === 'waiting');
  return waiting.count().catch(() => 0);
}

/** `countUnsent` for a user whose database is not open. */
export async function countUnsentOf(userId: string): Promise<number> {
  const db = new UserDatabase(userId, found?.options);
  const unsent = await countUnsent(db);
  db.close();
  return unsent;
}

/** For an untrusted device whose session ended while the app was closed. */
export async function wipeMirrorOf(userId: string, areDraftsKept = false): Promise<void> {
  const db = new UserDatabase(userId, found?.options);
  await emptyMirror(db, areDraftsKept ? wipeMirror : wipeUser);
  db.close();
}
