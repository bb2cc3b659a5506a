/** Databases and engine of whoever is signed in: the part of the session that knows storage. */
import type { Api } from '#api/api.ts';
import type { UserInfo } from '#contract/auth.ts';
import {
  clearSession,
  type DeviceDatabase,
  type DeviceSession,
  noteWiped,
  readSession,
  writeSession,
} from '#db/device-database.ts';
import { finishWipes } from '#db/due-wipes.ts';
import type { StorageFault } from '#db/failure.ts';
import type { KeptDatabase } from '#db/kept-database.ts';
import { UserDatabase, wipeMirror } from '#db/user-database.ts';
import { createLaterStore } from '#live/later-store.ts';
import type { SignedIn } from '#live/services.ts';
import { createLaterEngine } from '#sync/later-engine.ts';
import { systemClock } from '#sync/system-clock.ts';
import { afterFirstScreen } from '#ui/first-screen.ts';
import { keepNews } from './early-news.ts';
import { untilHere } from './later.tsx';
import { findStorage, type PhoneStorage } from './phone-storage.ts';
import { isListAddress } from './screens.tsx';

/** The databases of this page, the device's first. */
const open = new Set<KeptDatabase>();
let tellFault = (_: StorageFault | null) => {};

const showFault = () => {
  const faults = [...open].map(({ storage }) => storage.fault());
  tellFault(faults.find((fault) => fault !== null) ?? null);
};

function watch<D extends KeptDatabase>(db: D): D {
  open.add(db);
  db.storage.subscribe(showFault);
  showFault();
  return db;
}

/** Calls back with what stands in the way of any database of this page, now and on each change. */
export function onStorageFault(listener: (fault: StorageFault | null) => void): void {
  tellFault = listener;
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

/** Nothing outlives this page. */
export const isInMemory = () => found?.options.isInMemory === true;

export async function heldSession(): Promise<DeviceSession | null> {
  return readSession(await device());
}

export async function rememberSession(session: DeviceSession): Promise<void> {
  await writeSession(await device(), session);
}

export async function forgetSession(): Promise<void> {
  await clearSession(await device());
}

/** The engine goes on where the storage does, and ends where another version has taken it over. */
function followStorage({ db, engine }: Pick<SignedIn, 'db' | 'engine'>): void {
  db.storage.subscribe(() => {
    const fault = db.storage.fault();
    if (fault === 'outdated' || fault === 'newer') void engine.stop();
    else if (fault === null) engine.request('visible');
  });
}

/** The user's database and an engine over it, at rest until asked. */
export function openUser(userInfo: UserInfo, api: Api): SignedIn {
  const db = watch(new UserDatabase(userInfo.id, found?.options));
  const engine = createLaterEngine(async () => {
    await afterFirstScreen();
    const { createUserEngine } = await import('./user-engine.ts');
    return createUserEngine(db, api);
  });
  keepNews(engine);
  const packages = createLaterStore(async () => {
    const { openPackageStore } = await untilHere(() => import('#live/package-store.ts'));
    return openPackageStore({ db, userInfo, clock: systemClock, untilShown: afterFirstScreen });
  });
  // What the first screen shows is read while it is drawn.
  if (isListAddress(window.location.pathname)) void packages.settled();
  followStorage({ db, engine });
  return { userInfo, db, engine, packages, api };
}

async function emptyMirror(db: UserDatabase): Promise<void> {
  await wipeMirror(db);
  await noteWiped(await device(), db.userId);
}

/** Stops the engine; empties the mirror if `isWiped`, never the outbox. */
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

/** How many operations wait to be sent; 0 also where the database does not say. */
export async function countUnsent(db: UserDatabase): Promise<number> {
  const waiting = db.outbox.filter(({ state }) => state === 'waiting');
  return waiting.count().catch(() => 0);
}

/** `countUnsent` of a user whose database is not open. */
export async function countUnsentOf(userId: string): Promise<number> {
  const db = new UserDatabase(userId, found?.options);
  const unsent = await countUnsent(db);
  db.close();
  return unsent;
}

/** For an untrusted device whose session ended while the app was closed. */
export async function wipeMirrorOf(userId: string): Promise<void> {
  const db = new UserDatabase(userId, found?.options);
  await emptyMirror(db);
  db.close();
}
