/**
 * One database per user id (DESIGN.md section 5): the mirror (`packages`, `users`, `ownSteps`,
 * `meta`) and the outbox.
 *
 * Invariants: the mirror holds server truth only and is written only by the sync engine; the outbox
 * outlives the mirror, a sign-out and an update of the app. Durability is strict: Chrome's default
 * reports a transaction as complete before it is on the disk.
 */
import { Dexie, type Table } from 'dexie';
import type { Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';

/** Until when an operation is left alone after a failed try. Milliseconds since 1970. */
export interface Hold {
  /** When it was set: a clock that is put back ends the hold instead of stretching it. */
  fromMs: number;
  untilMs: number;
  /** The server asked for it (Retry-After): not even the person's 'try now' shortens it. */
  isFirm: boolean;
}

/** An operation as stored: the domain's type, the lane it belongs to, and its hold. */
export type OutboxRow = Operation & { lane: string; hold: Hold | null };

type Unnumbered<Row> = Row extends unknown ? Omit<Row, 'seq'> : never;
/** `seq` is given by the database when the row is added. */
export type NewOutboxRow = Unnumbered<OutboxRow>;

/**
 * The versions of one row that our own operations led through without anybody else's in between:
 * an edit made on `fromVersion` was made on what became `toVersion` (sync/rebase.ts).
 */
export interface OwnSteps {
  lane: string;
  fromVersion: number;
  toVersion: number;
}

export interface MetaRow {
  key: 'lastPulledAt';
  /** ISO 8601. */
  value: string;
}

export class UserDatabase extends Dexie {
  readonly packages: Table<Package, string>;
  readonly users: Table<User, string>;
  readonly outbox: Table<OutboxRow, number, NewOutboxRow>;
  readonly ownSteps: Table<OwnSteps, string>;
  readonly meta: Table<MetaRow, MetaRow['key']>;

  constructor(readonly userId: string) {
    super(`kaya-user-${userId}`, { chromeTransactionDurability: 'strict' });
    this.version(1).stores({
      packages: 'id, status, sender.id, courier.id',
      users: 'id',
      outbox: '++seq, &id, lane',
      ownSteps: 'lane',
      meta: 'key',
    });
    this.packages = this.table('packages');
    this.users = this.table('users');
    this.outbox = this.table('outbox');
    this.ownSteps = this.table('ownSteps');
    this.meta = this.table('meta');
  }
}

/** Empties the mirror and never the outbox: what sign-out does (DESIGN.md section 5, guarantee 7). */
export async function wipeMirror(db: UserDatabase): Promise<void> {
  await db.transaction('rw', [db.packages, db.users, db.ownSteps, db.meta], async () => {
    await Promise.all([
      db.packages.clear(),
      db.users.clear(),
      db.ownSteps.clear(),
      db.meta.clear(),
    ]);
  });
}
