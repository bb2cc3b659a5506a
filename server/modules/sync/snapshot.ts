/** A moment of the database as PostgreSQL writes it, `xmin:xmax:xip,xip…`: what it had committed. */
import { maxSnapshotLength } from '#contract/delta.ts';

/** Does PostgreSQL accept this text as a snapshot? */
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
function xmaxOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? 0);
}

/** Does `snapshot` know a transaction that had not started at `other`? */
export function isAfter(snapshot: string, other: string): boolean {
  return xmaxOf(snapshot) > xmaxOf(other);
}

/** A shorter snapshot that saw less: its delta has the same rows and some repeated ones. */
export function coarsened(snapshot: string): string {
  const xmin = snapshot.split(':', 1)[0] ?? '';
  return `${xmin}:${xmin}:`;
}

/** Beside the snapshot, a checkpoint has role and epoch. */
const longest = maxSnapshotLength - 40;

/** Short enough for a checkpoint (checkpoint.ts) of at most `maxSnapshotLength` characters. */
export function fitting(snapshot: string): string {
  return snapshot.length <= longest ? snapshot : coarsened(snapshot);
}

/** Predicate for ids of transactions that the snapshot sees, as `pg_visible_in_snapshot`. */
export function visibilityIn(snapshot: string): (xid: string) => boolean {
  const [xmin = '', xmax = '', open = ''] = snapshot.split(':');
  const [first, end] = [BigInt(xmin), BigInt(xmax)];
  const inProgress = new Set(open.split(','));
  return (text) => {
    const xid = BigInt(text);
    return xid < first || (xid < end && !inProgress.has(text));
  };
}
