/**
 * mirror ⊕ pending operations → what a screen shows. Pure: the mirror holds the server's truth only,
 * so rolling back is dropping an operation.
 *
 * Invariant: an operation in `attention` changes nothing here but the chip.
 */
import type { PatchPackageBody } from '#contract/package.ts';
import { type Operation, patchBodyOf, operations as rules } from './operation.ts';
import { newPackage, type Package, storedPackage, withoutAbsent } from './package.ts';
import { applyPatch, parsePatch } from './patch.ts';
import { type Party, partyFromWire, type User } from './user.ts';

/** The chip on a card: nothing pending, waiting to be sent, or refused and waiting for the person. */
export type PendingMark = 'none' | 'waiting' | 'attention';

export type PackageView = Package & {
  mark: PendingMark;
  /** Accepted here, not yet by the server: to be shown as requested. */
  isAcceptRequested: boolean;
};

export type UserView = User & { mark: PendingMark };

function plain(pkg: Package): PackageView {
  const { pickupLocation = null, deliveryLocation = null } = pkg;
  return { ...pkg, pickupLocation, deliveryLocation, mark: 'none', isAcceptRequested: false };
}

function created(operation: Operation & { name: 'createPackage' }, sender: Party): Package {
  const { targetId: id, createdAt: at, args } = operation;
  const { senderId, courierId: _, ...pkg } = newPackage(args, { id, senderId: sender.id, at });
  return { ...pkg, sender, courier: null };
}

/** The row under a PATCH that waits. */
function patched(row: PackageView, operation: Operation, body: PatchPackageBody): PackageView {
  const patch = parsePatch(body);
  // Another's by now: the server's row is shown until the refusal comes.
  const isTaken = body.deliveryPersonId && row.courier !== null;
  if (patch === null || isTaken) return { ...row, mark: 'waiting' };
  const before = storedPackage(row);
  const { courierId, senderId: _, ...next } = applyPatch(before, patch, operation.createdAt);
  const isCourierNew = courierId !== null && courierId !== before.courierId;
  const named = operation.name === 'acceptPackage' ? operation.args.courier : null;
  const courier = isCourierNew && named ? partyFromWire(named) : row.courier;
  return {
    ...row,
    ...next,
    courier: courierId === null ? null : courier,
    isAcceptRequested: courierId !== null && (row.isAcceptRequested || isCourierNew),
    mark: 'waiting',
    // Lists by time keep their order until the server answers.
    updatedAt: row.updatedAt,
  };
}

/** The effect of one waiting operation on the row so far; null: no such row (any more). */
function applied(row: PackageView | null, operation: Operation, self: Party): PackageView | null {
  if (operation.name === 'createPackage') {
    // The server has it already and only the acknowledgement is missing: its row is shown.
    return { ...(row ?? plain(created(operation, self))), mark: 'waiting' };
  }
  if (row === null || operation.name === 'deletePackage') return null;
  const body = patchBodyOf(operation);
  return body === null ? row : patched(row, operation, body);
}

/** Only what concerns one target, oldest first. `operations` may come in any order. */
function inOrder(operations: readonly Operation[]): Operation[] {
  return [...operations].sort((a, b) => a.seq - b.seq);
}

/** One package under the operations that target it; null: there is none to show. */
export function overlayPackage(
  row: Package | null,
  operations: readonly Operation[],
  self: Party,
): PackageView | null {
  let view = row === null ? null : plain(row);
  let needsAttention = false;
  for (const operation of inOrder(operations)) {
    if (operation.state === 'attention') needsAttention = true;
    else view = applied(view, operation, self);
  }
  return view !== null && needsAttention ? { ...view, mark: 'attention' } : view;
}

/** All packages under all operations, in no particular order. */
export function overlayPackages(
  rows: readonly Package[],
  operations: readonly Operation[],
  self: Party,
): PackageView[] {
  const byTarget = new Map<string, Operation[]>();
  for (const operation of operations) {
    if (rules[operation.name].target !== 'package') continue;
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

/** One user under the profile edits that target them. */
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
