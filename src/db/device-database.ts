/**
 * What this device knows before any user's database is opened: who is signed in here, one at most,
 * and whose mirror is still to be emptied after a log-out. Tokens are never stored.
 *
 * Invariant: the session goes in one transaction with the note that its mirror is to go, so that a
 * phone that dies between the two finds the note at its next start (`finishWipes`).
 */
import type { Table } from 'dexie';
import type { UserInfo } from '#contract/auth.ts';
import { endsMirror, isUnclear, type Verdict } from '#domain/outcome.ts';
import { ResilientDatabase, type ResilientDatabaseOptions } from './resilient-database.ts';
import { UserDatabase, wipeMirror } from './user-database.ts';

/** A session that this device holds, or held until the network failed. */
export interface DeviceSession {
  userId: string;
  /** As the last access token said it; enough to open the app offline. */
  userInfo: UserInfo;
  /** 'Trust This Device': only then does the app open without the network. */
  isTrusted: boolean;
  /** The server has ended it: nothing opens from this device before it has said otherwise. */
  verdict?: Verdict;
}

type SessionRow = DeviceSession & { key: 'session' };

const wipePrefix = 'wipe ';

/** In the same table, since it has to be written with the session. */
interface DueWipeRow {
  key: `${typeof wipePrefix}${string}`;
  userId: string;
}

export class DeviceDatabase extends ResilientDatabase {
  readonly session: Table<SessionRow | DueWipeRow, string>;

  constructor(name = 'kaya-device', options: ResilientDatabaseOptions = {}) {
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

/** Replaces the former session. What is mirrored of this user is theirs to see again. */
export async function writeSession(db: DeviceDatabase, session: DeviceSession): Promise<void> {
  await db.transaction('rw', db.session, async () => {
    await db.session.put({ ...session, key: 'session' });
    await db.session.delete(wipePrefix + session.userId);
  });
}

/** Keeps why this user's session ended, and whether their mirror is to be emptied for it. */
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

/** The session is gone, and its user's mirror is to be emptied. */
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

/**
 * Empties the mirrors that a log-out left behind because the phone died first. Never rejects: what
 * could not be emptied now is tried at the next start.
 */
export async function finishWipes(
  device: DeviceDatabase,
  options: ResilientDatabaseOptions = {},
): Promise<void> {
  const due = await readDueWipes(device).catch(() => []);
  for (const userId of due) {
    const db = new UserDatabase(userId, options);
    await wipeMirror(db)
      .then(() => noteWiped(device, userId))
      .catch(() => undefined);
    db.close();
  }
}
