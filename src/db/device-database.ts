/**
 * What this device knows before any user's database is opened: who is signed in here
 * (DESIGN.md sections 2 and 5). One row at most; tokens are never stored.
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

export class DeviceDatabase extends KeptDatabase {
  readonly session: Table<SessionRow, SessionRow['key']>;

  constructor(name = 'kaya-device', options: KeptDatabaseOptions = {}) {
    super(name, options);
    this.version(1).stores({ session: 'key' });
    this.session = this.table('session');
  }
}

/** The session of this device; null: never signed in here, or logged out. */
export async function readSession(db: DeviceDatabase): Promise<DeviceSession | null> {
  const row = await db.session.get('session');
  if (!row) return null;
  const { key: _, ...session } = row;
  return session;
}

/** Replaces whoever was signed in. */
export async function writeSession(db: DeviceDatabase, session: DeviceSession): Promise<void> {
  await db.session.put({ ...session, key: 'session' });
}

export async function clearSession(db: DeviceDatabase): Promise<void> {
  await db.session.delete('session');
}
