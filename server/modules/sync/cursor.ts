/**
 * The Sync-Cursor: a reader's position, as opaque text. Not signed, since it contains nothing its
 * reader could not read; nor trusted: an invalid one is `null` and restarts with a full list.
 */
import * as v from 'valibot';
import { maxCursorLength } from '#contract/delta.ts';
import { idSchema } from '#contract/fields.ts';

export type ListName = 'packages' | 'users';

export interface Cursor {
  list: ListName;
  userId: string;
  role: string;
  epoch: string;
  issuedAt: Date;
  /** The snapshot the reader had seen when the series began; null for a full list. */
  base: string | null;
  /** The snapshot the reader will have seen at the end of the series. */
  target: string;
  /** The key of the previous page's last row; null at the end of the series. */
  after: string | null;
}

const layout = 1;
const lifetimeMs = 30 * 24 * 3_600_000;

/** PostgreSQL's `xmin:xmax:xip,xip…`; false for what PostgreSQL would reject. */
export function isSnapshot(text: string): boolean {
  const match = /^([1-9]\d{0,17}):([1-9]\d{0,17}):((?:[1-9]\d{0,17}(?:,[1-9]\d{0,17})*)?)$/.exec(
    text,
  );
  if (!match) return false;
  const [xmin, xmax] = [BigInt(match[1] ?? 0), BigInt(match[2] ?? 0)];
  let last = xmin;
  for (const inProgress of match[3] ? match[3].split(',') : []) {
    const xid = BigInt(inProgress);
    if (xid < last || xid >= xmax) return false;
    last = xid;
  }
  return xmin <= xmax;
}

/** The first transaction not yet started at the snapshot. */
export function xmaxOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? 0);
}

/** A shorter snapshot that saw less: its delta has the same rows and some repeated ones. */
function coarsened(snapshot: string): string {
  const xmin = snapshot.split(':', 1)[0] ?? '';
  return `${xmin}:${xmin}:`;
}

const snapshotSchema = v.pipe(v.string(), v.check(isSnapshot));
const compactSchema = v.strictObject({
  v: v.literal(layout),
  l: v.picklist(['packages', 'users']),
  u: v.string(),
  r: v.string(),
  e: v.string(),
  t: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15)),
  b: v.nullable(snapshotSchema),
  n: snapshotSchema,
  a: v.nullable(v.string()),
});
const cursorSchema = v.pipe(v.string(), v.parseJson(), compactSchema);

function write({ list, userId, role, epoch, issuedAt, base, target, after }: Cursor): string {
  const compact: v.InferInput<typeof compactSchema> = {
    v: layout,
    l: list,
    u: userId,
    r: role,
    e: epoch,
    t: issuedAt.getTime(),
    b: base,
    n: target,
    a: after,
  };
  return Buffer.from(JSON.stringify(compact)).toString('base64url');
}

/** At most `maxCursorLength` characters: long snapshots (many open transactions) are coarsened. */
export function encodeCursor(cursor: Cursor): string {
  const text = write(cursor);
  if (text.length <= maxCursorLength) return text;
  const { base, target } = cursor;
  return write({ ...cursor, base: base && coarsened(base), target: coarsened(target) });
}

const keyPatterns: Record<ListName, (after: string) => boolean> = {
  packages: (after) => /^[1-9]\d{0,14}$/.test(after),
  users: (after) => v.is(idSchema, after),
};

function decode(text: string): Cursor | null {
  const parsed = v.safeParse(cursorSchema, Buffer.from(text, 'base64url').toString());
  if (!parsed.success) return null;
  const { l: list, u: userId, r: role, e: epoch, t, b: base, n: target, a: after } = parsed.output;
  if (after !== null && !keyPatterns[list](after)) return null;
  return { list, userId, role, epoch, issuedAt: new Date(t), base, target, after };
}

export interface Holder {
  list: ListName;
  userId: string;
  role: string;
  epoch: string;
  snapshot: string;
  now: Date;
}

/** Null: too old, or not a cursor of this reader, list and database. */
export function readCursor(text: string, holder: Holder): Cursor | null {
  const cursor = decode(text);
  if (!cursor) return null;
  const { list, userId, role, epoch, snapshot, now } = holder;
  const isTheirs =
    cursor.list === list &&
    cursor.userId === userId &&
    cursor.role === role &&
    cursor.epoch === epoch;
  const isFresh = now.getTime() - cursor.issuedAt.getTime() <= lifetimeMs;
  // From a lost database: this one has not reached that transaction yet.
  const isFuture = [cursor.base, cursor.target].some(
    (one) => one !== null && xmaxOf(one) > xmaxOf(snapshot),
  );
  return isTheirs && isFresh && !isFuture ? cursor : null;
}
