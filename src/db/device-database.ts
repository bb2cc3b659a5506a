/**
 * Available before a user's database opens: the one session, and the mirrors still to be wiped
 * after a log-out. Tokens are never stored.
 *
 * Invariant: the session is deleted in the transaction that notes its pending wipe, so that a crash
 * in between leaves the note for the next start (`finishWipes`).
 */
import type { Table } from 'dexie';
import type { UserInfo } from '#contract/auth.ts';
import { isUnclear, type Verdict, type Wipe, wipeAfter } from '#domain/outcome.ts';
import { ResilientDatabase, type ResilientDatabaseOptions } from './resilient-database.ts';
import { storageFaultOf } from './storage-fault.ts';
import { UserDatabase } from './user-database.ts';
import { wipeMirror, wipeUser } from './wipe.ts';

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
  /** Only the mirror; absent: drafts, too. */
  areDraftsKept?: boolean;
}

const dueWipe = (userId: string, wipe: Wipe): DueWipeRow => ({
  key: `${wipePrefix}${userId}`,
  userId,
  ...(wipe === 'mirror' && { areDraftsKept: true }),
});

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

/**
 * Replaces the session and cancels this user's pending wipe. On a full phone it only ends another
 * user's session, which would be mistaken for this one: the app asks to sign in at its next start.
 */
export async function writeSession(db: DeviceDatabase, session: DeviceSession): Promise<void> {
  try {
    await db.transaction('rw', db.session, async () => {
      await db.session.put({ ...session, key: 'session' });
      await db.session.delete(wipePrefix + session.userId);
    });
  } catch (cause) {
    if (storageFaultOf(cause) !== 'full') throw cause;
    const held = await readSession(db);
    if (held?.userId !== session.userId || held.verdict) await db.session.delete('session');
    await db.session.delete(wipePrefix + session.userId);
  }
}

/** Stores the server's current session data, unless the user logged out or changed meanwhile. */
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
    const wipe = wipeAfter(verdict, session.isTrusted);
    if (wipe !== 'nothing') await db.session.put(dueWipe(userId, wipe));
  });
}

/**
 * Deletes the session and notes that its user's mirror must be wiped. If the note does not fit, the
 * mirror is wiped before the session ends: a log-out needs no room.
 */
export async function clearSession(
  db: DeviceDatabase,
  options: ResilientDatabaseOptions = {},
  wipe: Wipe = 'all',
): Promise<void> {
  try {
    await db.transaction('rw', db.session, async () => {
      const session = await readSession(db);
      await db.session.delete('session');
      if (!session) return;
      await db.session.put(dueWipe(session.userId, wipe));
    });
  } catch (cause) {
    if (storageFaultOf(cause) !== 'full') throw cause;
    const session = await readSession(db);
    if (session) await wipeDue(dueWipe(session.userId, wipe), options);
    await db.session.delete('session');
  }
}

async function wipeDue(due: DueWipeRow, options: ResilientDatabaseOptions): Promise<void> {
  const db = new UserDatabase(due.userId, options);
  const wipe = due.areDraftsKept ? wipeMirror : wipeUser;
  await wipe(db).finally(() => db.close());
}

const dueWipes = async (db: DeviceDatabase) =>
  (await db.session.where('key').startsWith(wipePrefix).toArray()) as DueWipeRow[];

/** The ids of users whose mirrors must still be wiped. */
export async function readDueWipes(db: DeviceDatabase): Promise<string[]> {
  return (await dueWipes(db)).map(({ userId }) => userId);
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
  for (const due of await dueWipes(device).catch(() => [])) {
    await wipeDue(due, options)
      .then(() => noteWiped(device, due.userId))
      .catch(() => undefined);
  }
}
