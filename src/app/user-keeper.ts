/** Databases and engine of whoever is signed in: the part of the session that knows storage. */
import type { Api } from '#api/api.ts';
import type { UserInfo } from '#contract/auth.ts';
import {
  clearSession,
  type DeviceDatabase,
  type DeviceSession,
  readSession,
  writeSession,
} from '#db/device-database.ts';
import type { StorageFault } from '#db/failure.ts';
import type { KeptDatabase } from '#db/kept-database.ts';
import { UserDatabase, wipeMirror } from '#db/user-database.ts';
import { newId } from '#live/new-id.ts';
import { openPackageStore } from '#live/package-store.ts';
import type { SignedIn } from '#live/services.ts';
import { createBroadcastChannel } from '#sync/broadcast-channel.ts';
import { createSyncEngine } from '#sync/engine.ts';
import { systemClock } from '#sync/system-clock.ts';
import { createLocks } from '#sync/web-locks.ts';
import { findStorage, type PhoneStorage } from './phone-storage.ts';

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
    if (fault === 'outdated') void engine.stop();
    else if (fault === null) engine.request('visible');
  });
}

/** The user's database and an engine over it, at rest until asked. */
export function openUser(userInfo: UserInfo, api: Api): SignedIn {
  const db = watch(new UserDatabase(userInfo.id, found?.options));
  const engine = createSyncEngine({
    db,
    ports: {
      ...{ api, locks: createLocks(), clock: systemClock, random: Math.random, newId },
      channel: createBroadcastChannel(`kaya-sync-${userInfo.id}`),
    },
    userId: userInfo.id,
    // biome-ignore lint/suspicious/noConsole: a fault of the product belongs in the error console.
    onFault: (cause) => console.error(cause),
  });
  const packages = openPackageStore({ db, userInfo, clock: systemClock });
  followStorage({ db, engine });
  return { userInfo, db, engine, packages, api };
}

/** Stops the engine; empties the mirror if `isWiped`, never the outbox. */
export async function closeUser(
  { engine, db, packages }: SignedIn,
  isWiped: boolean,
): Promise<void> {
  packages.close();
  await engine.stop();
  if (isWiped) await wipeMirror(db);
  db.close();
  open.delete(db);
  showFault();
}

/** For an untrusted device whose session ended while the app was closed. */
export async function wipeMirrorOf(userId: string): Promise<void> {
  const db = new UserDatabase(userId, found?.options);
  await wipeMirror(db);
  db.close();
}
