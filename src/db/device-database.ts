/**
 * What this device knows before any user's database is opened: who is signed in here
 * (DESIGN.md sections 2 and 5), one at most, and whose mirror is still to be emptied after a
 * log-out. Tokens are never stored.
 *
 * Invariant: the session goes in one transaction with the note that its mirror is to go, so that a
 * phone that dies between the two finds the note at its next start (db/due-wipes.ts).
 */
import type { Table } from 'dexie';
import type { UserInfo } from '#contract/auth.ts';
import { KeptDatabase, type KeptDatabaseOptions } from './kept-database.ts';

/** A session that this device holds, or held until the network failed. */
export interface DeviceSession {
  userId: string;
  /** As the last access token said it; enough to open the app offline. */
  userInfo: UserInfo;
  /** 'Trust This Device': only then does the app open without the network. */
  isTrusted: boolean;
}

type SessionRow = DeviceSession & { key: 'session' };

const wipePrefix = 'wipe ';

/** In the same table, since it has to be written with the session. */
interface DueWipeRow {
  key: `${typeof wipePrefix}${string}`;
  userId: string;
}

export class DeviceDatabase extends KeptDatabase {
  readonly session: Table<SessionRow | DueWipeRow, string>;

  constructor(name = 'kaya-device', options: KeptDatabaseOptions = {}) {
    super(name, options);
    this.version(1).stores({ session: 'key' });
    this.session = this.table('session');
  }
}

/** The session of this device; null: never signed in here, or logged out. */
export async function readSession(db: DeviceDatabase): Promise<DeviceSession | null> {
  const row = await db.session.get('session');
  if (row?.key !== 'session') return null;
  const { key: _, ...session } = row;
  return session;
}

/** Replaces whoever was signed in. What is mirrored of this user is theirs to see again. */
export async function writeSession(db: DeviceDatabase, session: DeviceSession): Promise<void> {
  await db.transaction('rw', db.session, async () => {
    await db.session.put({ ...session, key: 'session' });
    await db.session.delete(wipePrefix + session.userId);
  });
}

/** Nobody is signed in any more, and the mirror of whoever was is to be emptied. */
export async function clearSession(db: DeviceDatabase): Promise<void> {
  await db.transaction('rw', db.session, async () => {
    const session = await readSession(db);
    await db.session.delete('session');
    if (!session) return;
    const { userId } = session;
    await db.session.put({ key: `${wipePrefix}${userId}`, userId });
  });
}

/** Whose mirrors are still to be emptied. */
export async function readDueWipes(db: DeviceDatabase): Promise<string[]> {
  const rows = await db.session.where('key').startsWith(wipePrefix).toArray();
  return rows.map(({ userId }) => userId);
}

/** The mirror of this user is empty. */
export async function noteWiped(db: DeviceDatabase, userId: string): Promise<void> {
  await db.session.delete(wipePrefix + userId);
}
