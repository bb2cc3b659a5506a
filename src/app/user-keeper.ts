/** Databases and engine of whoever is signed in: the part of the session that knows storage. */
import type { Api } from '#api/api.ts';
import type { UserInfo } from '#contract/auth.ts';
import {
  clearSession,
  DeviceDatabase,
  type DeviceSession,
  readSession,
  writeSession,
} from '#db/device-database.ts';
import { UserDatabase, wipeMirror } from '#db/user-database.ts';
import { newId } from '#live/new-id.ts';
import { openPackageStore } from '#live/package-store.ts';
import type { SignedIn } from '#live/services.ts';
import { createBroadcastChannel } from '#sync/broadcast-channel.ts';
import { createSyncEngine } from '#sync/engine.ts';
import { systemClock } from '#sync/system-clock.ts';
import { createLocks } from '#sync/web-locks.ts';

const device = new DeviceDatabase();

export function heldSession(): Promise<DeviceSession | null> {
  return readSession(device);
}

export function rememberSession(session: DeviceSession): Promise<void> {
  return writeSession(device, session);
}

export function forgetSession(): Promise<void> {
  return clearSession(device);
}

/** The user's database and an engine over it, at rest until asked. */
export function openUser(userInfo: UserInfo, api: Api): SignedIn {
  const db = new UserDatabase(userInfo.id);
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
}

/** For an untrusted device whose session ended while the app was closed. */
export async function wipeMirrorOf(userId: string): Promise<void> {
  const db = new UserDatabase(userId);
  await wipeMirror(db);
  db.close();
}
