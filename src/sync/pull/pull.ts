/**
 * Making the mirror equal to what the server shows this user. A list comes as
 * a series of pages of changes, each put in place with its cursor in one transaction, so a kill
 * anywhere goes on from the last whole page.
 *
 *   cursor ──▶ page of changes … ──▶ last page: the mirror is as the server was
 *   ''     ──▶ page of a full list (its ids are noted) … ──▶ last page: what no page named goes
 *
 * Invariant: no acknowledgement lands between asking for a page and applying it, because push and
 * pull run in one job under one lease; what is acknowledged between two pages of a full list is
 * noted as seen (sync/pull/mirror.ts).
 */
import { ApiFailure } from '#api/failure.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import { packageSchema } from '#contract/package.ts';
import { userSchema } from '#contract/user.ts';
import type { ListName, ListState, UserDatabase } from '#db/user-database.ts';
import { type Failure, isUnanswered, outcomeOf } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { type Fence, fenced } from '#sync/coordination/lease.ts';
import type { Ports } from '#sync/ports.ts';
import { pagesOf, putRow, putRows, readAcknowledged, rowTables } from './mirror.ts';

/** A package that somebody has opened and that is not in the mirror. */
export interface Sought {
  id: string;
  /** What its call met; null: it is in the mirror now. */
  settle(failure: Failure | null): void;
}

export interface PullPorts {
  db: UserDatabase;
  ports: Ports;
  fence: Fence;
  /** Passes an answer on; rejects instead once the engine has been stopped. */
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
  /** Those that have not been asked for yet. */
  sought: Sought[];
  /** What the call for the users met; null: they came. */
  onUsers(failure: Failure | null): void;
  /** Rows of a full list that have come so far; null: none is under way. */
  onProgress(received: number | null): void;
}

/** At the end of a full list: what neither it nor an acknowledgement named is gone. */
async function dropUnseen(db: UserDatabase, list: ListName, lastIds: string[]): Promise<void> {
  const pages = await pagesOf(db, list).toArray();
  const seen = new Set([...pages.flatMap(({ ids }) => ids), ...lastIds]);
  const present = await db[list].toCollection().primaryKeys();
  await db[list].bulkDelete(present.filter((id) => !seen.has(id)));
  await pagesOf(db, list).delete();
}

const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/** A page and the place behind it. Answers where the list then stands. */
async function applyPage(
  { db, ports, fence }: PullPorts,
  before: ListState,
  page: PulledPage<Package | User>,
): Promise<ListState> {
  const { list } = before;
  const isFull = page.isReset || before.fullPages !== null;
  const number = page.isReset ? 0 : (before.fullPages ?? 0);
  const after: ListState = {
    list,
    cursor: page.cursor ?? '',
    fullPages: isFull && page.hasMore ? number + 1 : null,
    shape: shapes[list],
  };
  const tables = [db.packages, db.users, db.lists, db.seen, db.meta];
  await fenced(db, fence, tables, async () => {
    if (page.isReset) await pagesOf(db, list).delete();
    const acknowledged = isFull ? await readAcknowledged(db, list) : new Set();
    const mayTakeBack = (id: string) => isFull && !acknowledged.has(id);
    if (list === 'packages') await putRows(db.packages, page.rows as Package[], mayTakeBack);
    else await putRows(db.users, page.rows as User[], mayTakeBack);
    await db[list].bulkDelete(page.removedIds);
    if (isFull && page.hasMore) await db.seen.put({ list, page: number, ids: ids(page.rows) });
    else if (isFull) await dropUnseen(db, list, ids(page.rows));
    await db.lists.put(after);
    if (page.hasMore || list !== 'packages') return;
    const value = new Date(ports.clock.now()).toISOString();
    await db.meta.put({ key: 'lastPulledAt', value });
  });
  return after;
}

/** Pages in a row without a row on them; more than a server has reason to send. */
const mostEmptyPages = 100;

function malformed(message: string): ApiFailure {
  return new ApiFailure({ kind: 'malformed', status: 200, code: '', message });
}

/** A server that goes round in circles, or nowhere, would be asked for ever. */
function createProgress(begin: string) {
  const places = new Set([begin]);
  let emptyPages = 0;
  return ({ cursor, hasMore, rows, removedIds }: PulledPage<unknown>) => {
    emptyPages = rows.length + removedIds.length > 0 ? 0 : emptyPages + 1;
    if (!hasMore) return;
    if (cursor === null || places.has(cursor) || emptyPages > mostEmptyPages) {
      throw malformed('The pages of the list lead nowhere.');
    }
    places.add(cursor);
  };
}

/**
 * A page without a place behind it is a whole list, of a server without deltas. Where a place was
 * asked for it may as well be a delta whose headers something on the way has taken off, and would
 * empty the mirror: then the whole list is asked for. What names removed rows is none in any case.
 */
function isWholeList(since: string, { cursor, removedIds }: PulledPage<unknown>): boolean {
  if (cursor !== null) return true;
  if (since !== '') return false;
  if (removedIds.length > 0) throw malformed('A part of a list without a place behind it.');
  return true;
}

const fieldsOf = ({ entries }: { entries: object }) => Object.keys(entries).join(' ');

/**
 * Rows mirrored before a field was added lack it until they change, so a place in the list counts
 * only for rows with the fields of today.
 */
const shapes: Record<ListName, string> = {
  packages: fieldsOf(packageSchema),
  users: fieldsOf(userSchema),
};

const beginning = (list: ListName): ListState => ({
  list,
  cursor: '',
  fullPages: null,
  shape: shapes[list],
});

async function placeIn(db: UserDatabase, list: ListName): Promise<ListState> {
  const stored = await db.lists.get(list);
  return stored?.shape === shapes[list] ? stored : beginning(list);
}

/**
 * What somebody waits for goes before the rest of the lists. In the job as they are: the answer to a
 * page that was asked for later cannot have been applied before.
 */
async function pullSought({ db, ports, fence, unlessStopped, sought }: PullPorts): Promise<void> {
  for (let one = sought[0]; one; one = sought[0]) {
    let failure: Failure | null = null;
    try {
      const row = await unlessStopped(ports.api.getPackage(one.id));
      await fenced(db, fence, rowTables(db), () => putRow(db, row));
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure = error.failure;
    }
    sought.shift();
    one.settle(failure);
  }
}

/** False: interrupted. */
async function pullList(
  context: PullPorts,
  list: ListName,
  isInterrupted: () => Promise<boolean>,
): Promise<boolean> {
  const { db, ports, unlessStopped, onProgress } = context;
  const ask = (since: string): Promise<PulledPage<Package | User>> =>
    list === 'packages' ? ports.api.pullPackages(since) : ports.api.pullUsers(since);
  let state = await placeIn(db, list);
  let received = (await pagesOf(db, list).toArray()).reduce(
    (sum, page) => sum + page.ids.length,
    0,
  );
  let insistOnProgress = createProgress(state.cursor);
  for (;;) {
    await pullSought(context);
    const page = await unlessStopped(ask(state.cursor));
    if (!isWholeList(state.cursor, page)) {
      state = beginning(list);
      insistOnProgress = createProgress('');
      continue;
    }
    insistOnProgress(page);
    received = (page.isReset ? 0 : received) + page.rows.length;
    state = await applyPage(context, state, page);
    onProgress(state.fullPages === null ? null : received);
    if (!page.hasMore) return true;
    if (await isInterrupted()) return false;
  }
}

/** What says nothing of the other list: neither the network, nor the session, nor a wish for peace. */
function isOfOneList(error: unknown): error is ApiFailure {
  if (!(error instanceof ApiFailure)) return false;
  const { failure } = error;
  const isMeantForAll = isUnanswered(failure) || failure.retryAfterMs !== undefined;
  return outcomeOf(failure) === 'retry' && !isMeantForAll;
}

/**
 * Both lists, to their ends; between pages, `isInterrupted` may ask to let something else go first.
 * False: it did. Rejects with ApiFailure; what was applied by then stays.
 */
export async function pull(
  context: PullPorts,
  isInterrupted: () => Promise<boolean>,
): Promise<boolean> {
  let usersFailure: ApiFailure | null = null;
  try {
    if (!(await pullList(context, 'users', isInterrupted))) return false;
    context.onUsers(null);
  } catch (error) {
    if (error instanceof ApiFailure) context.onUsers(error.failure);
    if (!isOfOneList(error)) throw error;
    usersFailure = error;
  }
  const isWhole = await pullList(context, 'packages', isInterrupted);
  if (usersFailure) throw usersFailure;
  return isWhole;
}
