/** When a waiting operation is sent, and why it cannot be cancelled. Pure. */
import { laneOf, type Operation, operations as rules } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import { isProfileComplete, type User } from '#domain/user.ts';
import { operations as operationMessages } from '#messages/en/operations.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { nameOf } from './what-changed.ts';

/** The profile edit that other lanes wait for (sync/outbox/push.ts). Null: none, or not needed. */
export function neededProfileEdit(
  operations: readonly Operation[],
  self: User | null | undefined,
): Operation | null {
  if (self && isProfileComplete(self)) return null;
  const edits = operations.filter(
    ({ name, state }) => name === 'editProfile' && state === 'waiting',
  );
  return edits.sort((a, b) => a.seq - b.seq)[0] ?? null;
}

/** The operation sent right before it; 'Next to be sent' if none. Null: it is not waiting. */
export function orderOf(
  operation: Operation,
  operations: readonly Operation[],
  row: Package | User | null,
  profileEdit: Operation | null,
): string | null {
  if (operation.state !== 'waiting') return null;
  const before = operations.filter(
    (each) =>
      each.state === 'waiting' && each.seq < operation.seq && laneOf(each) === laneOf(operation),
  );
  const last = before.sort((a, b) => b.seq - a.seq)[0];
  if (last) return words.behind(nameOf(last, operations, row));
  const { needsProfile } = rules[operation.name];
  if (needsProfile && profileEdit && profileEdit.seq < operation.seq) {
    return words.behind(operationMessages.names.editProfile);
  }
  return words.isNext;
}

/** Why a waiting operation cannot be cancelled (domain `isCancellable`). */
export function whyNotCancellable(
  operation: Operation,
  operations: readonly Operation[],
): string | null {
  if (operation.state !== 'waiting') return null;
  const lane = operations.filter(
    (each) => each.state === 'waiting' && laneOf(each) === laneOf(operation),
  );
  const isFirst = !lane.some(({ seq }) => seq < operation.seq);
  if (!isFirst && operation.tries === 0) return words.dependents;
  return operation.name === 'acceptPackage' ? words.onItsWayAccept : words.onItsWay;
}
