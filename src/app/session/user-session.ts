/** Databases and engine of the signed-in user: the part of the session that uses storage. */

import type { Api } from '#api/api.ts';
import { clockOffsetMs, restoreClockOffset, subscribeToClockOffset } from '#api/server-time.ts';
import { bufferEvents } from '#app/background/event-buffer.ts';
import { listAddress } from '#app/routes/list-address.ts';
import type { UserInfo } from '#contract/auth.ts';
import { createLazyStore } from '#data/lazy-store.ts';
import { newId } from '#data/new-id.ts';
import type { SignedIn } from '#data/services.ts';
import { readIsPlain } from '#db/backend.ts';
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
import { countDraftProofs } from '#db/proofs.ts';
import type { ResilientDatabase } from '#db/resilient-database.ts';
import type { StorageFault } from '#db/storage-fault.ts';
import { UserDatabase } from '#db/user-database.ts';
import { wipeMirror, wipeUser } from '#db/wipe.ts';
import type { Verdict, Wipe } from '#domain/outcome.ts';
import { tileCacheName } from '#domain/tile-source.ts';
import { safeLocalStorage } from '#state/safe-storage.ts';
import { createBroadcastChannel } from '#sync/coordination/channel.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createLazyEngine } from '#sync/lazy-engine.ts';
import { afterFirstScreen } from '#ui/first-screen.ts';
import { importWithRetry } from '#ui/lazy-part.tsx';
import { findStorage, type PhoneStorage } from './phone-storage.ts';

const open = new Set<ResilientDatabase>();
let reportFault = (_: StorageFault | null) => {};

const showFault = () => {
  // An open database without room for a write doesn't stop anyone from signing in.
  const shut = [...open].filter((db) => db.storage.fault() !== 'full' || !db.isOpen());
  const faults = shut.map(({ storage }) => storage.fault());
  reportFault(faults.find((fault) => fault !== null) ?? null);
};

function watch<D extends ResilientDatabase>(db: D): D {
  open.add(db);
  db.storage.subscribe(showFault);
  showFault();
  return db;
}

/** Calls back with the fault of this page's databases, now and on each change; null: none. */
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

export async function forgetSession(wipe: Wipe): Promise<void> {
  await clearSession(await device(), found?.options, wipe);
}

/** Never rejects: if the verdict is not stored, the next start asks the server again. */
export async function noteVerdict(userId: string, verdict: Verdict): Promise<void> {
  const keeping = device().then((db) => keepVerdict(db, userId, verdict));
  await keeping.catch(() => undefined);
}

/** Resumes the engine after a storage fault, stops it once a newer version took over. */
function followStorage({ db, engine }: Pick<SignedIn, 'db' | 'engine'>): void {
  let before: StorageFault | null = null;
  db.storage.subscribe(() => {
    const fault = db.storage.fault();
    if (fault === 'outdated' || fault === 'newer') void engine.stop();
    // On a phone that is all but full some write fits now and then: waits are kept.
    else if (fault === null) engine.request(before === 'full' ? 'timer' : 'visible');
    before = fault;
  });
}

const offsetKey = 'clockOffsetMs';

// A start without the network uses the offset of the last response.
restoreClockOffset(Number(safeLocalStorage.getItem(offsetKey)));
subscribeToClockOffset(() => safeLocalStorage.setItem(offsetKey, String(clockOffsetMs())));

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

async function wipeData(db: UserDatabase, wipe: Wipe): Promise<void> {
  if (wipe === 'nothing') return;
  await (wipe === 'all' ? wipeUser : wipeMirror)(db);
  await noteWiped(await device(), db.userId);
}

/** Stops the engine before the wipe. */
export async function closeUser({ engine, db, packages }: SignedIn, wipe: Wipe): Promise<void> {
  packages.close();
  await engine.stop();
  await wipeData(db, wipe);
  db.close();
  open.delete(db);
  showFault();
}

/** For a user whose database is not open. */
async function within<T>(userId: string, work: (db: UserDatabase) => Promise<T>): Promise<T> {
  const db = new UserDatabase(userId, found?.options);
  return await work(db).finally(() => db.close());
}

async function countIn(db: UserDatabase) {
  const waiting = db.outbox.filter(({ state }) => state === 'waiting');
  const unsent = await waiting.count().catch(() => 0);
  const { photo, signature } = await countDraftProofs(db).catch(() => noPictures);
  return { unsent, pictures: photo + signature };
}

const noPictures = { photo: 0, signature: 0 };

/** Operations that wait to be sent, and pictures of drafts; none if the database fails. */
export const countUnsent = (userId: string, opened?: UserDatabase) =>
  opened ? countIn(opened) : within(userId, countIn);

/** Operations of all these users that wait to be sent. `opened`: the database that is open already. */
export async function countWaiting(userIds: readonly string[], opened?: UserDatabase) {
  const counts = await Promise.all(
    userIds.map((id) => countUnsent(id, id === opened?.userId ? opened : undefined)),
  );
  return counts.reduce((sum, { unsent }) => sum + unsent, 0);
}

/** Whether this user's server has shown no extension; false if the database fails. */
export const isPlainServerOf = (userId: string): Promise<boolean> =>
  within(userId, (db) => readIsPlain(db).catch(() => false));

/** For a session that ended while the app was closed, and before another's. */
export const wipeDataOf = (userId: string, wipe: Wipe): Promise<void> =>
  within(userId, (db) => wipeData(db, wipe));
