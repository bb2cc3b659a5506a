/**
 * Making the mirror equal to what the server shows this user (DESIGN.md section 4). A list comes as
 * a series of pages of changes, each put in place with its cursor in one transaction, so a kill
 * anywhere goes on from the last whole page.
 *
 *   cursor ──▶ page of changes … ──▶ last page: the mirror is as the server was
 *   ''     ──▶ page of a full list (its ids are noted) … ──▶ last page: what no page named goes
 *
 * Invariant: no acknowledgement lands between asking for a page and applying it, because push and
 * pull run in one job under one lease; what is acknowledged between two pages of a full list is
 * noted as seen (sync/mirror.ts).
 */
import { ApiFailure } from '#api/failure.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import type { ListName, ListState, OutboxRow, UserDatabase } from '#db/user-database.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import { isUnanswered, outcomeOf } from '#domain/outcome.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { type Fence, fenced } from './lease.ts';
import { type PutRows, pagesOf, putRows, type Replaced, readAcknowledged } from './mirror.ts';
import { readHeads } from './outbox.ts';
import type { Ports } from './ports.ts';
import { advanceOfPull, continued, rebased } from './rebase.ts';

export interface PullPorts {
  db: UserDatabase;
  ports: Ports;
  fence: Fence;
  /** Passes an answer on; rejects instead once the engine has been stopped. */
  unlessStopped<T>(answer: Promise<T>): Promise<T>;
  /** Rows of a full list that have come so far; null: none is under way. */
  onProgress(received: number | null): void;
}

/**
 * Queued edits move to the pulled version where nothing that they edit was changed by others. The
 * head of a lane stays as it is: it may have been sent already, and the server merges it anyway.
 */
async function rebaseQueued(
  db: UserDatabase,
  name: Operation['name'],
  replaced: readonly Replaced[],
): Promise<void> {
  if (replaced.length === 0) return;
  const lanes = new Set(await db.outbox.orderBy('lane').uniqueKeys());
  for (const { before, after } of replaced) {
    const lane = laneOf({ name, targetId: after.id });
    if (!lanes.has(lane)) continue;
    const rows = await db.outbox.where('lane').equals(lane).toArray();
    const waiting = rows.filter((row) => row.state === 'waiting');
    const known = await db.ownSteps.get(lane);
    // Only what may have been sent can be what the pull brings.
    const sent = waiting.filter(({ tries }, index) => index === 0 || tries > 0);
    const advance = advanceOfPull(before, after, sent);
    const steps = continued(known, advance);
    for (const row of waiting.slice(1)) {
      const moved = rebased(row, advance, steps);
      if (moved) await db.outbox.put({ ...row, ...moved });
    }
    await db.ownSteps.put({ lane, steps });
  }
}

/** At the end of a full list: what neither it nor an acknowledgement named is gone. Answers that. */
async function dropUnseen(db: UserDatabase, list: ListName, lastIds: string[]): Promise<string[]> {
  const pages = await pagesOf(db, list).toArray();
  const seen = new Set([...pages.flatMap(({ ids }) => ids), ...lastIds]);
  const present = await db[list].toCollection().primaryKeys();
  const gone = present.filter((id) => !seen.has(id));
  await db[list].bulkDelete(gone);
  await pagesOf(db, list).delete();
  return gone;
}

const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/**
 * An operation whose answer was lost is answered again as it was then. If a pull has taken its
 * package away since, that answer must not bring it back; and while a full list is under way nobody
 * knows, until a page names the package. The answer to what was never sent is news whatever it says.
 */
async function noteOvertaken(
  db: UserDatabase,
  page: PulledPage<Package | User>,
  gone: readonly string[],
  heads: ReadonlySet<number>,
): Promise<void> {
  const fate = new Map(gone.map((id) => [id, true]));
  for (const { id } of page.rows) fate.set(id, false);
  // The head of a lane may have been sent by a tab that did not live to count the try.
  const isSent = (row: OutboxRow) => row.tries > 0 || heads.has(row.seq);
  if (page.isReset) {
    for (const row of await db.outbox.filter(isSent).toArray()) {
      if (!fate.has(row.targetId)) fate.set(row.targetId, true);
    }
  }
  const lanes = await db.outbox.orderBy('lane').uniqueKeys();
  const touched = lanes.filter((lane) => fate.has(String(lane).slice('package:'.length)));
  for (const row of await db.outbox.where('lane').anyOf(touched).toArray()) {
    const isOvertaken = isSent(row) && (fate.get(row.targetId) ?? false);
    if (isOvertaken !== (row.isOvertaken ?? false))
      await db.outbox.update(row.seq, { isOvertaken });
  }
}

/** A page and the place behind it. Answers where the list then stands. */
async function applyPage(
  { db, ports, fence }: PullPorts,
  before: ListState,
  page: PulledPage<Package | User>,
  heads: ReadonlySet<number>,
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
  const tables = [db.packages, db.users, db.outbox, db.ownSteps, db.lists, db.seen, db.meta];
  await fenced(db, fence, tables, async () => {
    if (page.isReset) await pagesOf(db, list).delete();
    const acknowledged = isFull ? await readAcknowledged(db, list) : new Set();
    const mayTakeBack = (id: string) => isFull && !acknowledged.has(id);
    const name = list === 'packages' ? 'editPackage' : 'editProfile';
    const { replaced, takenBack }: PutRows =
      list === 'packages'
        ? await putRows(db.packages, page.rows as Package[], mayTakeBack)
        : await putRows(db.users, page.rows as User[], mayTakeBack);
    await rebaseQueued(db, name, replaced);
    // Their versions count anew from there: the way that led to the former ones leads nowhere.
    const pathless = [...page.removedIds, ...takenBack];
    await db.ownSteps.bulkDelete(pathless.map((targetId) => laneOf({ name, targetId })));
    await db[list].bulkDelete(page.removedIds);
    const gone = [...page.removedIds];
    if (isFull && page.hasMore) await db.seen.put({ list, page: number, ids: ids(page.rows) });
    else if (isFull) gone.push(...(await dropUnseen(db, list, ids(page.rows))));
    if (list === 'packages') await noteOvertaken(db, page, gone, heads);
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

/**
 * Raised when rows have more to them: those that a version of before has mirrored lack it until they
 * change, so that version's place in the list does not count. 1: pins on packages.
 */
export const shapes: Record<ListName, number> = { packages: 1, users: 0 };

const beginning = (list: ListName): ListState => ({
  ...{ list, cursor: '', fullPages: null, shape: shapes[list] },
});

async function placeIn(db: UserDatabase, list: ListName): Promise<ListState> {
  const stored = await db.lists.get(list);
  return stored && (stored.shape ?? 0) === shapes[list] ? stored : beginning(list);
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
    // As they were when the page was asked for: what is queued later has not been sent before.
    const heads = new Set((await readHeads(db)).map(({ seq }) => seq));
    const page = await unlessStopped(ask(state.cursor));
    if (!isWholeList(state.cursor, page)) {
      state = beginning(list);
      insistOnProgress = createProgress('');
      continue;
    }
    insistOnProgress(page);
    received = (page.isReset ? 0 : received) + page.rows.length;
    state = await applyPage(context, state, page, heads);
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
  } catch (error) {
    if (!isOfOneList(error)) throw error;
    usersFailure = error;
  }
  const isWhole = await pullList(context, 'packages', isInterrupted);
  if (usersFailure) throw usersFailure;
  return isWhole;
}
