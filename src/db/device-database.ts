/**
 * What the device knows before a user's database opens: the one session, and which mirrors must
 * still be wiped after a log-out. Tokens are never stored.
 *
 * Invariant: the session is deleted in the transaction that notes its pending wipe, so that a crash
 * in between leaves the note for the next start (`finishWipes`).
 */
import type { Table } from 'dexie';
import type { UserInfo } from '#contract/auth.ts';
import { endsMirror, isUnclear, type Verdict } from '#domain/outcome.ts';
import { ResilientDatabase, type ResilientDatabaseOptions } from './resilient-database.ts';
import { UserDatabase, wipeUser } from './user-database.ts';

export interface DeviceSession {
  userId: string;
  /** From the last access token; enough to open the app offline. */
  userInfo: UserInfo;
  /** 'Trust This Device': the app opens without the network only if set. */
  isTrusted: boolean;
  /** The server ended it: the app stays locked until the server says otherwise. */
  verdict?: Verdict;
}

type SessionRow = DeviceSession & { key: 'session' };

const wipePrefix = 'wipe ';

/** In the session's table, so that both are written atomically. */
interface DueWipeRow {
  key: `${typeof wipePrefix}${string}`;
  userId: string;
}

export class DeviceDatabase extends ResilientDatabase {
  declare readonly session: Table<SessionRow | DueWipeRow, string>;

  constructor(name = 'kaya-device', options: ResilientDatabaseOptions = {}) {
    super(name, options);
    this.version(1).stores({ session: 'key' });
  }
}

/** Null: never signed in here, or logged out. */
export async function readSession(db: DeviceDatabase): Promise<DeviceSession | null> {
  const row = await db.session.get('session');
  if (row?.key !== 'session') return null;
  const { key: _, ...session } = row;
  return session;
}

/** Replaces the session and cancels this user's pending wipe. */
export async function writeSession(db: DeviceDatabase, session: DeviceSession): Promise<void> {
  await db.transaction('rw', db.session, async () => {
    await db.session.put({ ...session, key: 'session' });
    await db.session.delete(wipePrefix + session.userId);
  });
}

/** Adopts what the server now says of this user. Nothing, once they logged out or another logged in. */
export async function renewSession(db: DeviceDatabase, session: DeviceSession): Promise<void> {
  await db.transaction('rw', db.session, async () => {
    const held = await readSession(db);
    if (held?.userId === session.userId) await writeSession(db, session);
  });
}

/** Stores why this user's session ended, and whether their mirror must be wiped. */
export async function keepVerdict(
  db: DeviceDatabase,
  userId: string,
  { code, message }: Verdict,
): Promise<void> {
  const verdict = { code, message };
  if (isUnclear(verdict)) return;
  await db.transaction('rw', db.session, async () => {
    const session = await readSession(db);
    if (session?.userId !== userId) return;
    await db.session.put({ ...session, verdict, key: 'session' });
    if (!endsMirror(verdict, session.isTrusted)) return;
    await db.session.put({ key: `${wipePrefix}${userId}`, userId });
  });
}

/** Deletes the session and notes that its user's mirror must be wiped. */
export async function clearSession(db: DeviceDatabase): Promise<void> {
  await db.transaction('rw', db.session, async () => {
    const session = await readSession(db);
    await db.session.delete('session');
    if (!session) return;
    const { userId } = session;
    await db.session.put({ key: `${wipePrefix}${userId}`, userId });
  });
}

/** The ids of users whose mirrors must still be wiped. */
export async function readDueWipes(db: DeviceDatabase): Promise<string[]> {
  const rows = await db.session.where('key').startsWith(wipePrefix).toArray();
  return rows.map(({ userId }) => userId);
}

/** Deletes the note after the wipe of this user's mirror. */
export async function noteWiped(db: DeviceDatabase, userId: string): Promise<void> {
  await db.session.delete(wipePrefix + userId);
}

/** Completes wipes that a crash interrupted. Never rejects: failures are retried at next start. */
export async function finishWipes(
  device: DeviceDatabase,
  options: ResilientDatabaseOptions = {},
): Promise<void> {
  const due = await readDueWipes(device).catch(() => []);
  for (const userId of due) {
    const db = new UserDatabase(userId, options);
    await wipeUser(db)
      .then(() => noteWiped(device, userId))
      .catch(() => undefined);
    db.close();
  }
}
