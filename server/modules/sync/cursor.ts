/**
 * The Sync-Cursor: how far a reader has got with a list, as opaque text. Not signed, since it contains nothing its
 * reader could not read; nor trusted: an invalid one is `null` and restarts with a full list.
 */
import * as v from 'valibot';
import { maxCursorLength } from '#contract/delta.ts';
import { idSchema } from '#contract/fields.ts';
import { coarsened, isAfter, isSnapshot } from './snapshot.ts';

export type ListName = 'packages' | 'users';

export interface Cursor {
  list: ListName;
  userId: string;
  role: string;
  /** The working area its rows were limited to, as text; null: none. */
  area: string | null;
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

const snapshotSchema = v.pipe(v.string(), v.check(isSnapshot));
const compactSchema = v.strictObject({
  v: v.literal(layout),
  l: v.picklist(['packages', 'users']),
  u: v.string(),
  r: v.string(),
  w: v.optional(v.string()),
  e: v.string(),
  t: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15)),
  b: v.nullable(snapshotSchema),
  n: snapshotSchema,
  a: v.nullable(v.string()),
});
const cursorSchema = v.pipe(v.string(), v.parseJson(), compactSchema);

function write(cursor: Cursor): string {
  const { list, userId, role, area, epoch, issuedAt, base, target, after } = cursor;
  const compact: v.InferInput<typeof compactSchema> = {
    v: layout,
    l: list,
    u: userId,
    r: role,
    ...(area === null ? {} : { w: area }),
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
  const { l: list, u: userId, r: role, w: area = null, e: epoch } = parsed.output;
  const { t, b: base, n: target, a: after } = parsed.output;
  if (after !== null && !keyPatterns[list](after)) return null;
  return { list, userId, role, area, epoch, issuedAt: new Date(t), base, target, after };
}

export interface Holder extends Pick<Cursor, 'list' | 'userId' | 'role' | 'area' | 'epoch'> {
  snapshot: string;
  now: Date;
}

/** Null: too old, or not a cursor of this reader, list, area and database. */
export function readCursor(text: string, holder: Holder): Cursor | null {
  const cursor = decode(text);
  if (!cursor) return null;
  const { list, userId, role, area, epoch, snapshot, now } = holder;
  const isTheirs =
    cursor.list === list &&
    cursor.userId === userId &&
    cursor.role === role &&
    cursor.area === area &&
    cursor.epoch === epoch;
  const isFresh = now.getTime() - cursor.issuedAt.getTime() <= lifetimeMs;
  // From a lost database: this one has not reached that transaction yet.
  const isFuture = [cursor.base, cursor.target].some(
    (one) => one !== null && isAfter(one, snapshot),
  );
  return isTheirs && isFresh && !isFuture ? cursor : null;
}
