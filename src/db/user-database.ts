/**
 * One database per user id: the mirror (`packages`, `users`, `lists`,
 * `seen`, the time of the last pull), the outbox with its id and its quarantine, and the lease of
 * the tab that drains it.
 *
 * Invariants: the mirror holds server truth only and is written only by the sync engine; outbox and
 * quarantine outlive the mirror, a sign-out and an update of the app. Durability is strict: Chrome's
 * default reports a transaction as complete before it is on the disk.
 */
import { Dexie, type Table } from 'dexie';
import type { Operation } from '#domain/operation.ts';
import { operationNames, operationSchemaVersion } from '#domain/operation-names.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { isReadable } from './mirror-shape.ts';
import { ResilientDatabase, type ResilientDatabaseOptions } from './resilient-database.ts';

/** Until when an operation is left alone after a failed try. Milliseconds since 1970. */
export interface Backoff {
  /** When it was set: a clock that is put back ends the backoff instead of stretching it. */
  fromMs: number;
  untilMs: number;
  /** The server asked for it (Retry-After): only a person who presses 'Send now' shortens it. */
  isServerRequested: boolean;
}

/** An operation as stored: the domain's type, the lane it belongs to, and its backoff. */
export type OutboxRow = Operation & {
  lane: string;
  backoff: Backoff | null;
  /** The `seq` under which it was made, where it has another since; absent: its own. */
  order?: number;
};

type Unnumbered<Row> = Row extends unknown ? Omit<Row, 'seq'> : never;
/** `seq` is given by the database when the row is added. */
export type NewOutboxRow = Unnumbered<OutboxRow>;

/**
 * What was in the outbox and this version of the app cannot read: kept as it was found, shown, and
 * looked at again by the next version.
 */
export interface QuarantinedRow {
  /** As it had in the outbox. */
  seq: number;
  /** Of the operation, where it could be read; else ''. */
  id: string;
  row: unknown;
  /** ISO 8601: since when it is here. */
  at: string;
}

export type ListName = 'packages' | 'users';

/** Where the pull of a list stands. */
export interface ListState {
  list: ListName;
  /** The server's; '' to begin. */
  cursor: string;
  /** Pages of a full list that have come so far; null: none is under way. */
  fullPages: number | null;
  /** The fields of its rows (sync/pull/pull.ts); a number, or absent: those of an older version. */
  shape?: number | string;
}

/** The ids that one page of a full list named, or that were acknowledged while it was under way. */
export interface SeenIds {
  list: ListName;
  /** Counts from 0; -1 for acknowledged ones. */
  page: number;
  ids: string[];
}

/** Who drains. A higher `fence` has taken over from a lower one (sync/coordination/lease.ts). */
export interface LeaseRow {
  key: 'lease';
  fence: number;
  /** Counts up as a sign of life. */
  beat: number;
}

export interface MetaRow {
  key: 'lastPulledAt' | 'outboxId';
  /** Of the last pull ISO 8601, of the outbox a UUID (sync/outbox/outbox.ts). */
  value: string;
}

/** Raised by hand with every change of the stores; Dexie leads any older database to them. */
const storesVersion = 1;

/**
 * A tab of an older app gives way to a newer version of the database. So a new operation and a new
 * shape of one raise it too: the old tab would set aside what it does not know.
 */
const databaseVersion = storesVersion + operationSchemaVersion + operationNames.length;

/** The phone's storage has damaged the mirror, which is a copy: it is emptied and pulled again. */
export class UnreadableRowError extends Error {
  override name = 'UnreadableRowError';
}

export class UserDatabase extends ResilientDatabase {
  readonly packages: Table<Package, string>;
  readonly users: Table<User, string>;
  readonly outbox: Table<OutboxRow, number, NewOutboxRow>;
  readonly quarantine: Table<QuarantinedRow, number>;
  readonly lists: Table<ListState, ListName>;
  readonly seen: Table<SeenIds, [ListName, number]>;
  readonly lease: Table<LeaseRow, LeaseRow['key']>;
  readonly meta: Table<MetaRow, MetaRow['key']>;
  /** Called when a row of the mirror turns out to be unreadable; that read rejects. */
  onUnreadable = () => {};

  constructor(
    readonly userId: string,
    options: ResilientDatabaseOptions = {},
  ) {
    super(`kaya-user-${userId}`, options);
    this.version(databaseVersion).stores({
      packages: 'id, createdAt',
      users: 'id',
      outbox: '++seq, &id, lane',
      quarantine: 'seq',
      lists: 'list',
      seen: '[list+page]',
      lease: 'key',
      meta: 'key',
    });
    this.packages = this.table('packages');
    this.users = this.table('users');
    this.outbox = this.table('outbox');
    this.quarantine = this.table('quarantine');
    this.lists = this.table('lists');
    this.seen = this.table('seen');
    this.lease = this.table('lease');
    this.meta = this.table('meta');
    for (const [name, isSound] of Object.entries(isReadable)) {
      this.table(name).hook('reading', (row) => {
        if (row === undefined || isSound(row)) return row;
        // The reader's transaction is not the one to empty the mirror in.
        Dexie.ignoreTransaction(() => this.onUnreadable());
        throw new UnreadableRowError(`A row of ${name} cannot be read.`);
      });
    }
  }
}

/**
 * Empties the mirror and never the outbox: what sign-out does.
 * The fence goes up with it: a page that another tab has asked for, and its place, must not come
 * to stand in a mirror without all that was before them.
 */
export async function wipeMirror(db: UserDatabase): Promise<void> {
  const mirror = [db.packages, db.users, db.lists, db.seen];
  await db.transaction('rw', [...mirror, db.meta, db.lease], async () => {
    await Promise.all(mirror.map((table) => table.clear()));
    await db.meta.delete('lastPulledAt');
    const fence = ((await db.lease.get('lease'))?.fence ?? 0) + 1;
    await db.lease.put({ key: 'lease', fence, beat: 0 });
  });
}
