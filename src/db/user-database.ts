/**
 * One database per user: the mirror (`packages`, `events`, `users`, `lists`, `seen`, `lastPulledAt`),
 * the outbox with its id and quarantine, pictures not yet sent (`proofs`), the lease of the tab that
 * drains it, the working area, and the packages whose link was sent to the recipient.
 *
 * Invariants: the mirror holds server truth only and is written only by the sync engine; outbox,
 * quarantine and the pictures of queued deliveries outlive the mirror, a sign-out and an update.
 * Durability is strict, because Chrome by default reports a transaction as complete before it is on
 * disk.
 */
import { Dexie, type Table } from 'dexie';
import type { WireEvent } from '#contract/event.ts';
import type { Operation } from '#domain/operation.ts';
import { operationNames, operationSchemaVersion } from '#domain/operation-names.ts';
import type { Package } from '#domain/package.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import type { User } from '#domain/user.ts';
import { isReadable } from './mirror-shape.ts';
import { ResilientDatabase, type ResilientDatabaseOptions } from './resilient-database.ts';
import { userDatabasePrefix } from './user-ids.ts';

/** Delays the next try of an operation. Milliseconds since 1970. */
export interface Backoff {
  /** When it was set: setting the clock back ends the back-off instead of extending it. */
  fromMs: number;
  untilMs: number;
  /** From Retry-After: only the user's 'Send now' overrides it. */
  isServerRequested: boolean;
}

/** An operation with its lane and back-off. */
export type OutboxRow = Operation & {
  lane: string;
  backoff: Backoff | null;
  /** The `seq` it was created with; absent if unchanged. */
  order?: number;
  /**
   * Packages that looked the same before a create on a server without idempotency keys:
   * `lookalikes` in sync/plain. Phones already store this name.
   */
  twins?: string[];
};

type Unnumbered<Row> = Row extends unknown ? Omit<Row, 'seq'> : never;
export type NewOutboxRow = Unnumbered<OutboxRow>;

/** An outbox row that this app version cannot read, unchanged; the next version tries again. */
export interface QuarantinedRow {
  seq: number;
  /** The operation's id if readable, else ''. */
  id: string;
  row: unknown;
  /** ISO 8601: when it was quarantined. */
  at: string;
}

export type ListName = 'packages' | 'users';

export interface ListState {
  list: ListName;
  /** The server's cursor; '' to start. */
  cursor: string;
  /** Pages of the running full list received so far; null: none is running. */
  fullPages: number | null;
  /** Fields of its rows (sync/pull/list-state.ts). */
  shape: string;
  /** Renewed by each full list: its rows may be of another role or epoch than those before. */
  full?: string;
  /** Packages: the working area that the cursor belongs to, as lat,lng,km; absent: everywhere. */
  area?: string;
  /** The cursor is the end of a series; absent in the middle of one. */
  isSeriesEnd?: boolean;
  /** Packages: the end of the last batch of the stream applied since that cursor. */
  streamed?: string;
}

/** A package's events, as of this version of its row. */
export interface History {
  packageId: string;
  version: number;
  /** Oldest first: the newest, and those before them that somebody asked for. */
  events: WireEvent[];
  /** Has the server more before them? */
  hasOlder?: boolean;
}

/** Ids named by one page of a running full list, or acknowledged during it. */
export interface SeenIds {
  list: ListName;
  /** From 0; -1 for acknowledgements. */
  page: number;
  ids: string[];
}

/** A higher `fence` supersedes lower ones (sync/coordination/lease.ts). */
export interface LeaseRow {
  key: 'lease';
  fence: number;
  beat: number;
}

export interface MetaRow {
  key:
    | ('lastPulledAt' | 'outboxId' | 'workingArea' | 'mayHaveStrays')
    | ('toldRecipients' | 'backend' | 'payments');
  /**
   * ISO 8601; a UUID (sync/outbox/outbox.ts); lat,lng,km (db/working-area.ts); ''; ids of packages
   * (db/told-recipients.ts); the server's capabilities (db/backend.ts); JSON (db/kept-payments.ts).
   */
  value: string;
}

/** Increment on every change of the stores; Dexie migrates the databases that it finds. */
const storesVersion = 1;

/** Operations count too: a tab of the former app must close, not quarantine them. */
const databaseVersion = storesVersion + operationSchemaVersion + operationNames.length;

/** A damaged mirror row; the mirror is emptied and pulled again. */
export class UnreadableRowError extends Error {
  override name = 'UnreadableRowError';
}

export class UserDatabase extends ResilientDatabase {
  declare readonly packages: Table<Package, string>;
  declare readonly events: Table<History, string>;
  declare readonly users: Table<User, string>;
  declare readonly outbox: Table<OutboxRow, number, NewOutboxRow>;
  declare readonly quarantine: Table<QuarantinedRow, number>;
  declare readonly proofs: Table<ProofPicture, string>;
  declare readonly lists: Table<ListState, ListName>;
  declare readonly seen: Table<SeenIds, [ListName, number]>;
  declare readonly lease: Table<LeaseRow, LeaseRow['key']>;
  declare readonly meta: Table<MetaRow, MetaRow['key']>;
  private repair: (() => void) | undefined;
  private isUnreadable = false;

  constructor(
    readonly userId: string,
    options: ResilientDatabaseOptions = {},
  ) {
    super(userDatabasePrefix + userId, options);
    this.version(databaseVersion).stores({
      packages: 'id, createdAt',
      events: 'packageId',
      users: 'id',
      outbox: '++seq, &id, lane',
      quarantine: 'seq',
      proofs: 'id, packageId, createdAt',
      lists: 'list',
      seen: '[list+page]',
      lease: 'key',
      meta: 'key',
    });
    for (const [name, isSound] of Object.entries(isReadable)) {
      this.table(name).hook('reading', (row) => {
        if (row === undefined || isSound(row)) return row;
        // The mirror cannot be emptied within the reader's transaction.
        if (this.repair) Dexie.ignoreTransaction(this.repair);
        else this.isUnreadable = true;
        throw new UnreadableRowError(`A row of ${name} cannot be read.`);
      });
    }
  }

  /**
   * `repair` is called for each read of an unreadable mirror row, which rejects; immediately for one
   * that was read before, since screens read while the engine is still loading.
   */
  repairWith(repair: () => void): void {
    this.repair = repair;
    if (this.isUnreadable) repair();
    this.isUnreadable = false;
  }
}

/** The fence of a missing or damaged lease, for `fenced` (sync/coordination/lease.ts). */
export const noFence = 0;

export const fenceOf = (lease: LeaseRow | undefined): number =>
  Number.isSafeInteger(lease?.fence) ? (lease?.fence ?? noFence) : noFence;

/** Greater than all before, also after the row was deleted for want of room. Needs room. */
export function raiseFence(db: UserDatabase): Promise<number> {
  return db.transaction('rw', [db.lease], async () => {
    const fence = (fenceOf(await db.lease.get('lease')) || Date.now()) + 1;
    await db.lease.put({ key: 'lease', fence, beat: 0 });
    return fence;
  });
}
