/**
 * Makes the mirror equal to what the server shows this user. A list arrives as pages of changes, each
 * applied with its cursor in one transaction, so that a kill resumes after the last complete page.
 *
 *   cursor ──▶ page of changes … ──▶ last page: the mirror is as the server was
 *   ''     ──▶ page of a full list (its ids are noted) … ──▶ last page: delete what no page named
 *
 * Invariant: no acknowledgement lands between requesting and applying a page, because push and pull
 * share one job under one lease; acknowledgements between pages of a full list are noted as seen
 * (sync/pull/mirror.ts).
 */

import { ApiFailure, malformedAnswer } from '#api/failure.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import { fromPhoneTime } from '#api/server-time.ts';
import { type Area, areaText } from '#contract/area.ts';
import { noteBackend } from '#db/backend.ts';
import type { ListName, ListState, UserDatabase } from '#db/user-database.ts';
import { readWorkingArea } from '#db/working-area.ts';
import { type Failure, isUnanswered, outcomeOf } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { type Fence, FencedError, fenced } from '#sync/coordination/lease.ts';
import type { Ports } from '#sync/ports.ts';
import { inRoom, isFull } from '#sync/room.ts';
import { beginning, readListState, shapes } from './list-state.ts';
import { dropStrays, pagesOf, putRow, putRows, readAcknowledged, rowTables } from './mirror.ts';
import type { RowStream } from './row-stream.ts';

/** A package the user has opened that is not mirrored. */
export interface Sought {
  id: string;
  /** Null: it is mirrored now. */
  settle(failure: Failure | null): void;
}

export interface PullPorts {
  db: UserDatabase;
  ports: Ports;
  fence: Fence;
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
  sought: Sought[];
  /** Packages that were sought; of these, offers outside the working area are fetched by each pull. */
  opened: Set<string>;
  stream: Pick<RowStream, 'beginSeries' | 'endSeries'>;
  /** Result of the users request; null: success. */
  onUsers(failure: Failure | null): void;
  onProgress(received: number | null): void;
}

/** At the end of a full list, deletes rows that neither a page nor an acknowledgement named. */
async function dropUnseen(db: UserDatabase, list: ListName, lastIds: string[]): Promise<void> {
  const pages = await pagesOf(db, list).toArray();
  const seen = new Set([...pages.flatMap(({ ids }) => ids), ...lastIds]);
  const present = await db[list].toCollection().primaryKeys();
  await db[list].bulkDelete(present.filter((id) => !seen.has(id)));
  await pagesOf(db, list).delete();
}

const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/** Applies a page together with its cursor. Returns the new list state. */
async function applyPage(
  { db, ports, fence, opened }: PullPorts,
  before: ListState,
  page: PulledPage<Package | User>,
  { area, wasStored }: { area: Area | null; wasStored: boolean },
): Promise<ListState> {
  const { list } = before;
  const isFull = page.isReset || before.fullPages !== null;
  const number = page.isReset ? 0 : (before.fullPages ?? 0);
  const full = page.isReset ? ports.newId() : before.full;
  const after: ListState = {
    list,
    cursor: page.cursor ?? '',
    fullPages: isFull && page.hasMore ? number + 1 : null,
    shape: shapes[list],
    ...(full === undefined ? {} : { full }),
    ...(area ? { area: areaText(area) } : {}),
    ...(page.hasMore ? {} : { isSeriesEnd: true }),
  };
  await fenced(db, fence, rowTables(db), async () => {
    // Thinned for lack of room meanwhile (sync/room.ts): this cursor would skip the dropped rows.
    if (wasStored && !(await db.lists.get(list))) throw new FencedError();
    if (page.isReset) await pagesOf(db, list).delete();
    const acknowledged = isFull ? await readAcknowledged(db, list) : new Set();
    const mayTakeBack = (id: string) => isFull && !acknowledged.has(id);
    if (list === 'packages') await putRows(db.packages, page.rows as Package[], mayTakeBack);
    else await putRows(db.users, page.rows as User[], mayTakeBack);
    await noteBackend(db, page);
    await db[list].bulkDelete(page.removedIds);
    if (isFull && page.hasMore) await db.seen.put({ list, page: number, ids: ids(page.rows) });
    else if (isFull) await dropUnseen(db, list, ids(page.rows));
    await db.lists.put(after);
    if (page.hasMore || list !== 'packages') return;
    if (area) await dropStrays(db, area, opened);
    else opened.clear();
    const value = fromPhoneTime(new Date(ports.clock.now()).toISOString());
    await db.meta.put({ key: 'lastPulledAt', value });
  });
  return after;
}

const mostEmptyPages = 100;

/** Detects a server that repeats cursors or sends empty pages for ever. */
function createProgress(begin: string) {
  const cursors = new Set([begin]);
  let emptyPages = 0;
  return ({ cursor, hasMore, rows, removedIds }: PulledPage<unknown>) => {
    emptyPages = rows.length + removedIds.length > 0 ? 0 : emptyPages + 1;
    if (!hasMore) return;
    if (cursor === null || cursors.has(cursor) || emptyPages > mostEmptyPages) {
      throw malformedAnswer('The list makes no progress.');
    }
    cursors.add(cursor);
  };
}

/**
 * A page without a cursor is a whole list, from a server without deltas. After a request with a
 * cursor it may instead be a delta stripped of its headers, which would empty the mirror: then the
 * whole list is requested. A page with removals is never a whole list.
 */
function isWholeList(since: string, { cursor, removedIds }: PulledPage<unknown>): boolean {
  if (cursor !== null) return true;
  if (since !== '') return false;
  if (removedIds.length > 0) throw malformedAnswer('A partial list without a cursor.');
  return true;
}

/** Fetches packages the user waits for first; within the job, so pages cannot overtake them. */
async function pullSought(context: PullPorts): Promise<void> {
  const { db, ports, fence, unlessStopped, sought, opened } = context;
  for (let one = sought[0]; one; one = sought[0]) {
    let failure: Failure | null = null;
    try {
      const row = await unlessStopped(ports.api.getPackage(one.id));
      const write = () => fenced(db, fence, rowTables(db), () => putRow(db, row));
      await inRoom(context, write, { isWork: true });
      opened.add(one.id);
    } catch (error) {
      if (isFull(error)) failure = malformedAnswer('No room for it.').failure;
      else if (!(error instanceof ApiFailure)) throw error;
      else {
        if (outcomeOf(error.failure) === 'rejected') opened.delete(one.id);
        failure = error.failure;
      }
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
  const { db, ports, unlessStopped, onProgress, stream } = context;
  const ask = (
    { cursor, streamed }: ListState,
    area: Area | null,
  ): Promise<PulledPage<Package | User>> =>
    list === 'packages'
      ? ports.api.pullPackages(cursor, { streamed, area })
      : ports.api.pullUsers(cursor);
  let state = await readListState(db, list);
  let wasStored = (await db.lists.get(list)) !== undefined;
  const series = list === 'packages' ? stream.beginSeries(state) : null;
  let received = (await pagesOf(db, list).toArray()).reduce(
    (sum, page) => sum + page.ids.length,
    0,
  );
  let insistOnProgress = createProgress(state.cursor);
  for (;;) {
    await pullSought(context);
    // Read for each page: a page of another area than its cursor's begins a full list.
    const area = list === 'packages' ? await readWorkingArea(db) : null;
    const page = await unlessStopped(ask(state, area));
    if (!isWholeList(state.cursor, page)) {
      state = beginning(list);
      insistOnProgress = createProgress('');
      continue;
    }
    insistOnProgress(page);
    received = (page.isReset ? 0 : received) + page.rows.length;
    const before = state;
    state = await inRoom(context, () => applyPage(context, before, page, { area, wasStored }));
    wasStored = true;
    onProgress(state.fullPages === null ? null : received);
    if (!page.hasMore) {
      if (list === 'packages') stream.endSeries(series, state);
      return true;
    }
    if (await isInterrupted()) return false;
  }
}

/** Says nothing of the other list: not the network, the session or Retry-After. */
function isOfOneList(error: unknown): error is ApiFailure {
  if (!(error instanceof ApiFailure)) return false;
  const { failure } = error;
  const isMeantForAll = isUnanswered(failure) || failure.retryAfterMs !== undefined;
  return outcomeOf(failure) !== 'signedOut' && !isMeantForAll;
}

/**
 * Pulls both lists; between pages `isInterrupted` may stop it to let a push go first. False: it
 * did. Rejects with ApiFailure; applied pages stay.
 */
export async function pull(
  context: PullPorts,
  isInterrupted: () => Promise<boolean>,
): Promise<boolean> {
  let usersFailure: ApiFailure | null = null;
  for (const id of context.opened) context.sought.push({ id, settle: () => undefined });
  try {
    if (!(await pullList(context, 'users', isInterrupted))) return false;
    context.onUsers(null);
  } catch (error) {
    if (error instanceof ApiFailure) context.onUsers(error.failure);
    if (!isOfOneList(error)) throw error;
    // A server may keep this list to some; then the other is all there is.
    if (outcomeOf(error.failure) === 'retry') usersFailure = error;
  }
  const isWhole = await pullList(context, 'packages', isInterrupted);
  if (usersFailure) throw usersFailure;
  return isWhole;
}
