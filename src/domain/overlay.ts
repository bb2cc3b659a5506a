/**
 * mirror ⊕ pending operations → what a screen shows (DESIGN.md section 5). Pure: the mirror holds
 * the server's truth only, so rolling back is dropping an operation.
 *
 * Invariant: an operation in `attention` changes nothing here but the chip.
 */
import { nairaToKobo } from './money.ts';
import type { Operation } from './operation.ts';
import { type Package, withChanges } from './package.ts';
import { type Party, partyFromWire, type User } from './user.ts';

/** The chip on a card: nothing pending, waiting to be sent, or refused and waiting for the person. */
export type PendingMark = 'none' | 'waiting' | 'attention';

export type PackageView = Package & {
  mark: PendingMark;
  /** Accepted here, not yet by the server: to be shown as requested (DESIGN.md section 5). */
  isAcceptRequested: boolean;
};

export type UserView = User & { mark: PendingMark };

function plain(pkg: Package): PackageView {
  const { pickupLocation = null, deliveryLocation = null } = pkg;
  return { ...pkg, pickupLocation, deliveryLocation, mark: 'none', isAcceptRequested: false };
}

function created(operation: Operation & { name: 'createPackage' }, sender: Party): Package {
  const { _id: _, senderId: __, priceOffer, ...body } = operation.args;
  const { pickupLocation = null, deliveryLocation = null } = body;
  return {
    ...body,
    ...{ pickupLocation, deliveryLocation },
    id: operation.targetId,
    packageId: '',
    version: 0,
    sender,
    courier: null,
    priceOfferKobo: nairaToKobo(priceOffer),
    status: 'pending',
    paymentStatus: 'unpaid',
    createdAt: operation.createdAt,
    updatedAt: operation.createdAt,
  };
}

/** The effect of one waiting operation on the row so far; null: no such row (any more). */
function applied(row: PackageView | null, operation: Operation, self: Party): PackageView | null {
  if (operation.name === 'createPackage') {
    // The server has it already and only the acknowledgement is missing: its row stands.
    return { ...(row ?? plain(created(operation, self))), mark: 'waiting' };
  }
  if (row === null) return null;
  const waiting: PackageView = { ...row, mark: 'waiting' };
  switch (operation.name) {
    case 'editPackage':
      return {
        ...withChanges(waiting, operation.args.changes),
        mark: 'waiting',
        isAcceptRequested: row.isAcceptRequested,
      };
    case 'acceptPackage':
      // Somebody else's by now: the server's row stands until the refusal comes.
      if (row.courier !== null) return waiting;
      return {
        ...waiting,
        courier: partyFromWire(operation.args.courier),
        status: 'in-transit',
        isAcceptRequested: true,
      };
    case 'rejectDelivery':
      return { ...waiting, courier: null, status: 'pending', isAcceptRequested: false };
    case 'deliverPackage':
      return { ...waiting, status: 'delivered' };
    case 'deletePackage':
      return null;
    case 'editProfile':
      return row;
  }
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
    if (operation.name === 'editProfile') continue;
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
    const present = Object.fromEntries(
      Object.entries(operation.args.changes).filter(([, value]) => value !== undefined),
    ) as Partial<User>;
    view = { ...view, ...present, mark: 'waiting' };
  }
  return needsAttention ? { ...view, mark: 'attention' } : view;
}
