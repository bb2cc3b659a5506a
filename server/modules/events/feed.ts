/**
 * The rows of this process's streams. Changes are read once per gathering, whatever the number of
 * streams, and readers who see the same get the same bytes.
 *
 *   idle ──first reader──▶ at a snapshot ──notification──▶ gathering ──▶ read ──▶ at the next one …
 *     ▲                        │ last one left                             │
 *     └────────────────────────┘                                           └ failed: the same, later
 *
 * Invariant: a stream gets every change that its snapshot `at` does not see. The next snapshot is
 * taken before the rows are read, so they may show more than it and never less; a notification that
 * precedes its change keeps the gathering going until a snapshot sees it. In doubt (lost
 * notifications, too many rows, another role) a stream is asked to pull after the snapshot was
 * taken, and its next batch begins at `gap`, where no reader is.
 */
import type { Area } from '#contract/area.ts';
import { rowsEvent } from '#contract/stream.ts';
import { roleOf } from '#domain/user.ts';
import { areaFor } from '#domain/within-area.ts';
import type { Database } from '#server/database/database.ts';
import {
  type Audiences,
  audiencesOf,
  nothing,
  type Reader,
} from '#server/modules/packages/audiences.ts';
import {
  type ChangedPackage,
  readChangedPackages,
} from '#server/modules/packages/package-delta.ts';
import { type Checkpoint, writeCheckpoint } from '#server/modules/sync/checkpoint.ts';
import { readClock } from '#server/modules/sync/epoch.ts';
import { fitting, visibilityIn } from '#server/modules/sync/snapshot.ts';
import { readChangedRoles } from '#server/modules/users/user-delta.ts';
import type { Stream } from './hub.ts';
import type { Notification } from './notification.ts';

const gatherMs = 200;
/** The next gathering lasts at least this many times the last fan-out. */
const restFactor = 3;
const longestRetryMs = 5_000;
/** In a batch; for more, a pull is cheaper. */
export const mostRows = 200;
/** Notifications to remember: beyond it, most rows have changed. */
const mostHeard = 1_000;
/** Not a snapshot, so no reader is there. */
const gap = 'gap';

export interface RowStream extends Stream {
  asked: Area | undefined;
  /** `asked`, where the role has an area. */
  area: Area | null;
  /** Start of its next batch: a checkpoint, or `gap`. */
  at: string;
  send(bytes: Buffer): void;
}

type Moment = Omit<Checkpoint, 'role'>;

interface Heard extends Notification {
  xid: string;
}

export interface FeedCounts {
  reads: number;
  batches: number;
  rows: number;
}

interface Needs {
  db: Database;
  /** Called when a reading fails after one that did not. */
  onFailure(error: unknown): void;
}

/** Facts about a changed row from the notifications that the snapshot does not see. */
function reachOf(
  { pkg, xid }: ChangedPackage,
  heard: readonly Heard[],
  hasSeen: (xid: string) => boolean,
) {
  const about = heard.filter((one) => one.package === pkg.id && !hasSeen(one.xid));
  const isHeard = about.some((one) => one.xid === xid);
  return {
    isOwnChange: !hasSeen(xid),
    couriers: !isHeard || about.some(({ couriers }) => couriers),
    hasMoved: !isHeard || about.some(({ moved }) => moved),
    users: new Set(about.flatMap(({ users }) => users)),
  };
}

/** Says which letters a reader's batch consists of; strangers are computed once per role. */
function createKeys(all: readonly Audiences[], people: ReadonlySet<string>) {
  const none = nothing.repeat(all.length);
  const ofStrangers = new Map<string, string>();
  const write = (reader: Reader) => {
    let key = '';
    for (const one of all) key += one.letterFor(reader);
    return key;
  };
  return {
    none,
    keyFor: (reader: Reader): string => {
      if (people.has(reader.userId) || reader.area !== null) return write(reader);
      let key = ofStrangers.get(reader.role);
      if (key === undefined) {
        key = write(reader);
        ofStrangers.set(reader.role, key);
      }
      return key;
    },
  };
}

export function createFeed({ db, onFailure }: Needs) {
  const streams = new Set<RowStream>();
  const counts: FeedCounts = { reads: 0, batches: 0, rows: 0 };
  /** Readers whose `join` is under way. */
  let joining = 0;
  let reached: Moment | null = null;
  /** Replaced whenever a user is found to have changed, so two equal marks mean unchanged roles. */
  let rolesMark = {};
  let starting: Promise<void> | null = null;
  let heard: Heard[] = [];
  let isDoubtful = false;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let failures = 0;
  let fanOutMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const isIdle = () => streams.size === 0 && joining === 0;

  const sleep = () => {
    reached = null;
    rolesMark = {};
    heard = [];
    isDoubtful = false;
  };

  const breakOff = (stream: RowStream) => {
    stream.at = gap;
    stream.tell();
  };

  const sendRows = (
    found: readonly ChangedPackage[],
    hasSeen: (xid: string) => boolean,
    to: Moment,
  ) => {
    const people = new Set<string>();
    const all = found.map((one) => {
      const reach = reachOf(one, heard, hasSeen);
      for (const id of reach.users) people.add(id);
      people.add(one.pkg.sender.id);
      if (one.pkg.courier !== null) people.add(one.pkg.courier.id);
      return audiencesOf(one, reach);
    });
    const { none, keyFor } = createKeys(all, people);
    const ends = {
      Customer: writeCheckpoint({ ...to, role: 'Customer' }),
      Employee: writeCheckpoint({ ...to, role: 'Employee' }),
      Admin: writeCheckpoint({ ...to, role: 'Admin' }),
    };
    const written = new Map<string, { bytes: Buffer; count: number }>();
    for (const stream of streams) {
      const key = keyFor(stream);
      if (key === none) continue;
      const known = `${stream.role} ${key} ${stream.at}`;
      let batch = written.get(known);
      if (batch === undefined) {
        const texts = all
          .map((one, nth) => one.textOf(key.charAt(nth)))
          .filter((text) => text !== '');
        const data = `{"from":"${stream.at}","to":"${ends[stream.role]}","packages":[${texts.join()}]}`;
        const bytes = Buffer.from(`event: ${rowsEvent}\ndata: ${data}\n\n`);
        batch = { bytes, count: texts.length };
        written.set(known, batch);
      }
      stream.at = ends[stream.role];
      stream.send(batch.bytes);
      counts.batches += 1;
      counts.rows += batch.count;
    }
  };

  const applyRoles = (changed: Awaited<ReturnType<typeof readChangedRoles>>) => {
    if (changed.length === 0) return;
    rolesMark = {};
    const byId = new Map(changed.map((user) => [user.id, user]));
    for (const stream of [...streams]) {
      const user = byId.get(stream.userId);
      if (!user) continue;
      const role = roleOf(user.roles);
      if (!user.isActive) stream.end();
      else if (role !== stream.role) {
        stream.role = role;
        stream.area = areaFor({ role }, stream.asked);
        breakOff(stream);
      }
    }
  };

  /** Other rows, and roles that are not known: the readers start over. */
  const endAll = () => {
    for (const stream of [...streams]) stream.end();
    sleep();
  };

  const read = async (base: Moment, isCertain: boolean) => {
    counts.reads += 1;
    const clock = await readClock(db);
    // Rows of different epochs cannot be compared.
    if (clock.epoch !== base.epoch) return { clock, found: [], changed: [] };
    const [found, changed] = await Promise.all([
      isCertain ? readChangedPackages(db, base.snapshot, mostRows + 1) : [],
      readChangedRoles(db, base.snapshot),
    ]);
    return { clock, found, changed };
  };

  const gather = async (): Promise<void> => {
    const base = reached;
    if (base === null) return;
    if (isIdle()) return sleep();
    const isCertain = !isDoubtful;
    isDoubtful = false;
    try {
      const { clock, found, changed } = await read(base, isCertain);
      // Everybody left, or the doubt is newer than this clock.
      if (reached !== base || isDoubtful) return;
      if (clock.epoch !== base.epoch) return endAll();
      const beganAt = performance.now();
      const to = { epoch: clock.epoch, snapshot: fitting(clock.snapshot) };
      reached = to;
      applyRoles(changed);
      if (isCertain && found.length <= mostRows) {
        sendRows(found, visibilityIn(base.snapshot), to);
      } else {
        for (const stream of streams) breakOff(stream);
      }
      fanOutMs = performance.now() - beganAt;
      const isOver = visibilityIn(clock.snapshot);
      heard = heard.filter(({ xid }) => !isOver(xid));
    } catch (error) {
      // A reading that failed is repeated from its snapshot; a batch that some have got is not.
      isDoubtful ||= !isCertain || reached !== base;
      throw error;
    }
  };

  const schedule = () => {
    if (timer !== undefined || running !== undefined || isStopped) return;
    if (reached === null && starting === null) return;
    const afterFailure = failures === 0 ? 0 : Math.min(longestRetryMs, gatherMs * 2 ** failures);
    const waitMs = Math.max(gatherMs, fanOutMs * restFactor, afterFailure);
    timer = setTimeout(() => {
      timer = undefined;
      running = run();
    }, waitMs);
    timer.unref();
  };

  const run = async (): Promise<void> => {
    try {
      await gather();
      failures = 0;
    } catch (error) {
      // Nothing is lost: the next reading begins at the same snapshot.
      if (failures === 0 && !isStopped) onFailure(error);
      failures += 1;
    } finally {
      running = undefined;
      if (heard.length > 0 || isDoubtful || failures > 0) schedule();
    }
  };

  const doubt = () => {
    if (reached === null && starting === null) return;
    isDoubtful = true;
    heard = [];
    schedule();
  };

  const start = async (): Promise<void> => {
    if (reached !== null) return;
    starting ??= readClock(db)
      .then(
        ({ epoch, snapshot }) => {
          reached = { epoch, snapshot: fitting(snapshot) };
        },
        (error: unknown) => {
          sleep();
          throw error;
        },
      )
      .finally(() => {
        starting = null;
      });
    await starting;
  };

  return {
    counts,
    /**
     * Lets a stream `enter` with the facts that `ask` reads about its reader. Asks again if a user
     * changed in between: it may be their role.
     */
    join: async <T>(ask: () => Promise<T>, enter: (answer: T) => void): Promise<void> => {
      joining += 1;
      try {
        for (;;) {
          const before = reached === null ? null : rolesMark;
          const answer = await ask();
          await start();
          if (reached !== null && rolesMark === before) return enter(answer);
        }
      } finally {
        joining -= 1;
        if (isIdle()) sleep();
      }
    },
    /** Called by `enter`; says where the stream begins. Returns a function that removes it. */
    add: (stream: RowStream) => {
      if (reached !== null) stream.at = writeCheckpoint({ ...reached, role: stream.role });
      streams.add(stream);
      return () => {
        if (streams.delete(stream) && isIdle()) sleep();
      };
    },
    /** Null: unreadable, or some were lost. */
    hear: (notification: Notification | null) => {
      if (reached === null && starting === null) return;
      if (notification === null || heard.length >= mostHeard) return doubt();
      const { xid } = notification;
      // A wallet's: `change` says it all.
      if (xid === undefined) return;
      heard.push({ ...notification, xid });
      schedule();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
