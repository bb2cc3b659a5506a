/**
 * mirror ⊕ pending operations, maintained incrementally: a change costs what it affects. Pure.
 *
 * Invariants: a lane is always set whole, row and operations as of one moment, so that no
 * acknowledgement (row in, operation out) shows in halves. Unchanged views keep their identity.
 */
import { laneOf, type Operation } from './operation.ts';
import { overlayPackage, type PackageView } from './overlay.ts';
import type { Package } from './package.ts';
import type { Self } from './user.ts';

export interface LaneContents {
  lane: string;
  /** Null: there is none. Undefined: not queried. */
  row: Package | null | undefined;
  operations: readonly Operation[];
}

export interface PackageViews {
  /** Replaces these lanes and keeps the others. True if something changed. */
  setLanes(lanes: Iterable<LaneContents>, self: Self): boolean;
  /** Replaces all rows and operations. True if something changed. */
  setAll(rows: readonly Package[], operations: readonly Operation[], self: Self): boolean;
  /** In no particular order; the same array until a view changes. Undefined: nothing was set yet. */
  views(): readonly PackageView[] | undefined;
  /** Undefined: not known yet; null: nothing to show. */
  view(id: string): PackageView | null | undefined;
  /** The server's row. Undefined: not known yet; null: none. */
  row(id: string): Package | null | undefined;
  /** Oldest first; the same array until an operation changes. Undefined: nothing was set yet. */
  operations(): readonly Operation[] | undefined;
  laneOfSeq(seq: number): string | undefined;
}

export function packageLane(id: string): string {
  return laneOf({ name: 'editPackage', targetId: id });
}

const lanePrefix = packageLane('');

/** The package of a lane; null for a user's lane. */
export function packageOfLane(lane: string): string | null {
  return lane.startsWith(lanePrefix) ? lane.slice(lanePrefix.length) : null;
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

export function groupByLane(operations: readonly Operation[]): Map<string, Operation[]> {
  const lanes = new Map<string, Operation[]>();
  for (const operation of operations) {
    const lane = laneOf(operation);
    const found = lanes.get(lane);
    if (found) found.push(operation);
    else lanes.set(lane, [operation]);
  }
  return lanes;
}

export function createPackageViews(): PackageViews {
  const rows = new Map<string, Package | null>();
  const lanes = new Map<string, readonly Operation[]>();
  const bySeq = new Map<number, Operation>();
  const views = new Map<string, PackageView>();
  let isWhole = false;
  let self: Self | null = null;
  let shown: readonly PackageView[] | undefined;
  let queue: readonly Operation[] | undefined;

  /** True if an operation changed. */
  function setOperations(lane: string, given: readonly Operation[]): boolean {
    const before = lanes.get(lane) ?? [];
    const after = given.map((operation) => {
      const known = bySeq.get(operation.seq);
      return known && isSame(known, operation) ? known : operation;
    });
    if (after.length === before.length && after.every((one) => before.includes(one))) return false;
    for (const { seq } of before) bySeq.delete(seq);
    for (const operation of after) bySeq.set(operation.seq, operation);
    if (after.length > 0) lanes.set(lane, after);
    else lanes.delete(lane);
    return true;
  }

  /** True if the row changed, or was unknown before. */
  function setRow(id: string, row: Package | null): boolean {
    const before = rows.get(id);
    if (row === null && isWhole) return rows.delete(id);
    if (before !== undefined && isSame(before, row)) return false;
    rows.set(id, row);
    return true;
  }

  function isKnown(id: string): boolean {
    return isWhole || rows.has(id);
  }

  const pending = () => [...lanes.keys()].flatMap((lane) => packageOfLane(lane) ?? []);

  function finish(touched: Set<string>, by: Self, areOperationsNew: boolean): boolean {
    // `self` is the sender of packages created offline, and its role decides.
    const isSelfNew = !isSame(self, by);
    if (isSelfNew) for (const id of pending()) touched.add(id);
    self = by;
    let areViewsNew = false;
    for (const id of touched) {
      if (!isKnown(id)) continue;
      const view = overlayPackage(rows.get(id) ?? null, lanes.get(packageLane(id)) ?? [], by);
      if (view === null) areViewsNew = views.delete(id) || areViewsNew;
      else if (!isSame(views.get(id), view)) {
        views.set(id, view);
        areViewsNew = true;
      }
    }
    if (areViewsNew || !shown) shown = [...views.values()];
    if (areOperationsNew || !queue) queue = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
    return areViewsNew || areOperationsNew || touched.size > 0;
  }

  return {
    setLanes(contents, by) {
      const touched = new Set<string>();
      let areOperationsNew = false;
      for (const { lane, row, operations } of contents) {
        const id = packageOfLane(lane);
        const isNew = setOperations(lane, operations);
        if (isNew) areOperationsNew = true;
        if (id === null) continue;
        const isRowNew = row !== undefined && setRow(id, row);
        if (isNew || isRowNew) touched.add(id);
      }
      return finish(touched, by, areOperationsNew);
    },
    setAll(given, operations, by) {
      const touched = new Set<string>();
      let areOperationsNew = false;
      const grouped = groupByLane(operations);
      for (const lane of new Set([...grouped.keys(), ...lanes.keys()])) {
        if (!setOperations(lane, grouped.get(lane) ?? [])) continue;
        areOperationsNew = true;
        const id = packageOfLane(lane);
        if (id !== null) touched.add(id);
      }
      // From now on a missing row is known to be missing: views with pending operations may change.
      if (!isWhole) for (const id of pending()) touched.add(id);
      isWhole = true;
      const gone = new Set(rows.keys());
      for (const row of given) {
        gone.delete(row.id);
        if (setRow(row.id, row)) touched.add(row.id);
      }
      for (const id of gone) if (setRow(id, null)) touched.add(id);
      return finish(touched, by, areOperationsNew);
    },
    views: () => shown,
    view: (id) => (isKnown(id) ? (views.get(id) ?? null) : undefined),
    row: (id) => (isKnown(id) ? (rows.get(id) ?? null) : undefined),
    operations: () => queue,
    laneOfSeq: (seq) => {
      const operation = bySeq.get(seq);
      return operation && laneOf(operation);
    },
  };
}
