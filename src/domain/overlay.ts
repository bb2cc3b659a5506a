/**
 * mirror ⊕ pending operations → what a screen shows. Pure: the mirror holds server truth only, so
 * rolling back is deleting an operation. Invariant: one in `attention` affects only the mark.
 */
import { getDefault } from 'valibot';
import { type PackageField, packageSchema } from '#contract/package.ts';
import { applyEvent } from './event.ts';
import {
  type CallName,
  type CallOf,
  isCall,
  type Operation,
  type OperationOf,
  requestOf,
  operations as rules,
} from './operation.ts';
import { newPackage, type Package, storedPackage, withDispute, withoutAbsent } from './package.ts';
import { applyPatch } from './patch.ts';
import { can, editActionOf, factsOf } from './policy.ts';
import { roleOf, type Self, type User } from './user.ts';

/** The chip on a card: nothing pending, waiting to be sent, or needs attention. */
export type PendingMark = 'none' | 'waiting' | 'attention';

export type PackageView = Package & {
  mark: PendingMark;
  /** Accepted on this device, not yet by the server: shown as requested. */
  isAcceptRequested: boolean;
};

export type UserView = User & { mark: PendingMark };

/**
 * Defaults for a row mirrored by a version of the app without the field, until the next pull: the
 * same as for a missing field on the wire.
 */
const laterFields = withoutAbsent(
  Object.fromEntries(
    Object.entries(packageSchema.entries).map(([field, schema]) => [field, getDefault(schema)]),
  ),
);

function plain(pkg: Package): PackageView {
  return { ...laterFields, ...pkg, mark: 'none', isAcceptRequested: false };
}

function created(operation: OperationOf<'createPackage'>, self: Self): Package {
  const { targetId: id, createdAt: at, args } = operation;
  const { roles: _, ...sender } = self;
  const { senderId, courierId: __, ...pkg } = newPackage(args, { id, senderId: sender.id, at });
  return { ...pkg, sender, courier: null };
}

/** The row after the operation's request. */
function asked(row: PackageView, operation: Exclude<Operation, { name: CallName }>): PackageView {
  const request = requestOf(operation);
  const before = storedPackage(row);
  const {
    courierId,
    senderId: _,
    ...next
  } = request.via === 'patch'
    ? applyPatch(before, request.patch, operation.createdAt)
    : applyEvent(before, request.event, operation.createdAt);
  const isCourierNew = courierId !== null && courierId !== before.courierId;
  const named = request.via === 'patch' && isCourierNew ? request.patch.courier : undefined;
  return {
    ...row,
    ...next,
    courier: courierId === null ? null : (named ?? row.courier),
    isAcceptRequested: courierId !== null && (row.isAcceptRequested || isCourierNew),
    mark: 'waiting',
    // Lists sorted by time keep their order until the server responds.
    updatedAt: row.updatedAt,
  };
}

/** As far as it is known: only the server knows all that was before. */
function takenBack(row: PackageView, { args }: OperationOf<'correctStep'>): PackageView {
  if (!args.before) return { ...row, mark: 'waiting' };
  const undone = {
    status: 'in-transit',
    outcome: null,
    deliveredAt: null,
    verifiedBy: null,
    photosMissing: 0,
  } as const;
  const { paymentStatus = row.paymentStatus, ...way } = args.before;
  return { ...row, ...undone, ...way, paymentStatus, mark: 'waiting' };
}

type ShownCall = Exclude<CallName, 'createPackage'>;

/** The effect of a call of its own on the row; null: the row is gone. */
const effects: {
  [N in ShownCall]: (row: PackageView, operation: CallOf<N>, self: Self) => PackageView | null;
} = {
  deletePackage: () => null,
  openDispute: (row, { id, args }, self) => ({
    ...withDispute(row, { _id: id, ...args }, self.id === row.sender.id),
    mark: 'waiting',
  }),
  uploadProof: (row) => row,
  editProfile: (row) => row,
};

const called = <N extends ShownCall>(row: PackageView, operation: CallOf<N>, self: Self) =>
  effects[operation.name](row, operation, self);

/** Judged by the current row: the operation was allowed when it was queued. */
function isRefused(row: PackageView, operation: Operation, { id, roles }: Self): boolean {
  const action =
    operation.name === 'editPackage'
      ? editActionOf(Object.keys(operation.args.changes) as PackageField[])
      : rules[operation.name].action;
  // Actions that need a complete profile wait for the edit that completes it.
  const actor = { id, role: roleOf(roles), isProfileComplete: true };
  return action !== null && !can(actor, action, factsOf(row)).isAllowed;
}

/** Null: no row. */
function applied(row: PackageView | null, operation: Operation, self: Self): PackageView | null {
  if (operation.name === 'createPackage') {
    // If the server has it already, only the acknowledgement is missing: show its row.
    return { ...(row ?? plain(created(operation, self))), mark: 'waiting' };
  }
  if (row === null) return null;
  // Done already, or to be refused: shows the server's row until it answers.
  if (isRefused(row, operation, self)) return { ...row, mark: 'waiting' };
  if (isCall(operation)) return called(row, operation, self);
  if (operation.name === 'correctStep') return takenBack(row, operation);
  return asked(row, operation);
}

/** The ids of the steps that waiting corrections take back. */
export function correctedBy(operations: readonly Operation[]): ReadonlySet<string> {
  return new Set(
    operations.flatMap((one) =>
      one.name === 'correctStep' && one.state === 'waiting' ? one.args.corrects : [],
    ),
  );
}

function inOrder(operations: readonly Operation[]): Operation[] {
  return [...operations].sort((a, b) => a.seq - b.seq);
}

/** One package with the operations that target it; null: nothing to show. */
export function overlayPackage(
  row: Package | null,
  operations: readonly Operation[],
  self: Self,
): PackageView | null {
  let view = row === null ? null : plain(row);
  let needsAttention = false;
  // A waiting step and the waiting correction behind it cancel out.
  const corrected = correctedBy(operations);
  for (const operation of inOrder(operations)) {
    if (operation.state === 'attention') needsAttention = true;
    else if (!corrected.has(operation.id)) view = applied(view, operation, self);
    else if (view) view = { ...view, mark: 'waiting' };
  }
  return view !== null && needsAttention ? { ...view, mark: 'attention' } : view;
}

/** All packages with all operations, in no particular order. */
export function overlayPackages(
  rows: readonly Package[],
  operations: readonly Operation[],
  self: Self,
): PackageView[] {
  const byTarget = new Map<string, Operation[]>();
  for (const operation of operations) {
    // A picture on its way changes nothing that is shown.
    if (rules[operation.name].target !== 'package' || operation.name === 'uploadProof') continue;
    const list = byTarget.get(operation.targetId);
    if (list) list.push(operation);
    else byTarget.set(operation.targetId, [operation]);
  }
  const views: PackageView[] = [];
  for (const row of rows) {
    const touching = byTarget.get(row.id);
    byTarget.delete(row.id);
    const view = touching ? overlayPackage(row, touching, self) : plain(row);
    if (view) views.push(view);
  }
  for (const touching of byTarget.values()) {
    const view = overlayPackage(null, touching, self);
    if (view) views.push(view);
  }
  return views;
}

/** One user with their pending profile edits. */
export function overlayUser(row: User, operations: readonly Operation[]): UserView {
  let view: UserView = { ...row, mark: 'none' };
  let needsAttention = false;
  for (const operation of inOrder(operations)) {
    if (operation.name !== 'editProfile' || operation.targetId !== row.id) continue;
    if (operation.state === 'attention') {
      needsAttention = true;
      continue;
    }
    view = { ...view, ...withoutAbsent(operation.args.changes), mark: 'waiting' };
  }
  return needsAttention ? { ...view, mark: 'attention' } : view;
}
