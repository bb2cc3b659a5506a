/**
 * One database per user id (DESIGN.md section 5): the mirror (`packages`, `users`, `ownSteps`,
 * `lists`, `seen`, `meta`), the outbox with its quarantine, and the lease of whoever drains it.
 *
 * Invariants: the mirror holds server truth only and is written only by the sync engine; outbox and
 * quarantine outlive the mirror, a sign-out and an update of the app. Durability is strict: Chrome's
 * default reports a transaction as complete before it is on the disk.
 */
import type { Table } from 'dexie';
import type { Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { KeptDatabase, type KeptDatabaseOptions } from './kept-database.ts';

/** Until when an operation is left alone after a failed try. Milliseconds since 1970. */
export interface Hold {
  /** When it was set: a clock that is put back ends the hold instead of stretching it. */
  fromMs: number;
  untilMs: number;
  /** The server asked for it (Retry-After): only a person who presses 'Send now' shortens it. */
  isFirm: boolean;
}

/** An operation as stored: the domain's type, the lane it belongs to, and its hold. */
export type OutboxRow = Operation & {
  lane: string;
  hold: Hold | null;
  /** A pull knows later news of its target than the answer to an earlier try (sync/pull.ts). */
  isOvertaken?: boolean;
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

/** From one version of a row to a later one, and the editable fields that others changed between. */
export interface Step {
  fromVersion: number;
  toVersion: number;
  foreignFields: ReadonlySet<string>;
}

/**
 * The last steps of a row that had something queued: where an edit goes that was typed on an earlier
 * version than the one that the row has by the time it is saved (sync/rebase.ts).
 */
export interface OwnSteps {
  lane: string;
  /** In the order in which they were made; missing where version 1 of the database wrote the row. */
  steps?: readonly Step[];
}

export type ListName = 'packages' | 'users';

/** Where the pull of a list stands. */
export interface ListState {
  list: ListName;
  /** The server's; '' to begin. */
  cursor: string;
  /** Pages of a full list that have come so far; null: none is under way. */
  fullPages: number | null;
  /** What the rows have that it brought (sync/pull.ts); absent: what they had at first. */
  shape?: number;
}

/** The ids that one page of a full list named, or that were acknowledged while it was under way. */
export interface SeenIds {
  list: ListName;
  /** Counts from 0; -1 for acknowledged ones. */
  page: number;
  ids: string[];
}

/** Who drains. A higher `fence` has taken over from a lower one (sync/lease.ts). */
export interface LeaseRow {
  key: 'lease';
  fence: number;
  /** Counts up as a sign of life. */
  beat: number;
}

export interface MetaRow {
  key: 'lastPulledAt';
  /** ISO 8601. */
  value: string;
}

export class UserDatabase extends KeptDatabase {
  readonly packages: Table<Package, string>;
  readonly users: Table<User, string>;
  readonly outbox: Table<OutboxRow, number, NewOutboxRow>;
  readonly quarantine: Table<QuarantinedRow, number>;
  readonly ownSteps: Table<OwnSteps, string>;
  readonly lists: Table<ListState, ListName>;
  readonly seen: Table<SeenIds, [ListName, number]>;
  readonly lease: Table<LeaseRow, LeaseRow['key']>;
  readonly meta: Table<MetaRow, MetaRow['key']>;
  /** Whether a reader has met something damaged in the mirror; the engine mends it. */
  readonly damage = { isFound: false };

  constructor(
    readonly userId: string,
    options: KeptDatabaseOptions = {},
  ) {
    super(`kaya-user-${userId}`, options);
    this.version(1).stores({
      packages: 'id, status, sender.id, courier.id',
      users: 'id',
      outbox: '++seq, &id, lane',
      ownSteps: 'lane',
      meta: 'key',
    });
    this.version(2).stores({
      packages: 'id, createdAt',
      // Edits and accepts stand under a base version; an edit may have to move to a newer one.
      outbox: '++seq, &id, lane, [lane+args.baseVersion]',
      quarantine: 'seq',
      lists: 'list',
      seen: '[list+page]',
      lease: 'key',
    });
    // Operations of schemaVersion 2: a tab of before writes none beside them.
    this.version(3).stores({});
    this.packages = this.table('packages');
    this.users = this.table('users');
    this.outbox = this.table('outbox');
    this.quarantine = this.table('quarantine');
    this.ownSteps = this.table('ownSteps');
    this.lists = this.table('lists');
    this.seen = this.table('seen');
    this.lease = this.table('lease');
    this.meta = this.table('meta');
  }
}

/**
 * Empties the mirror and never the outbox: what sign-out does (DESIGN.md section 5, guarantee 7).
 * The fence goes up with it: a page that another tab has asked for, and its place, must not come
 * to stand in a mirror without all that was before them.
 */
export async function wipeMirror(db: UserDatabase): Promise<void> {
  const mirror = [db.packages, db.users, db.ownSteps, db.lists, db.seen, db.meta];
  await db.transaction('rw', [...mirror, db.lease], async () => {
    await Promise.all(mirror.map((table) => table.clear()));
    const fence = ((await db.lease.get('lease'))?.fence ?? 0) + 1;
    await db.lease.put({ key: 'lease', fence, beat: 0 });
  });
}
