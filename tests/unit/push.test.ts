/** Changes that cause notifications, their roles, and the reach of an area. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type NewsKind, pushKinds } from '#contract/push.ts';
import { roles } from '#contract/user.ts';
import type { Actor } from '#domain/policy.ts';
import {
  canBeToldOf,
  type Moment,
  newsOfChange,
  pushKindsOf,
  readPushMessage,
} from '#domain/push.ts';

const pending: Moment = { status: 'pending', courierId: null };
const withA: Moment = { status: 'in-transit', courierId: 'a' };
const withB: Moment = { status: 'in-transit', courierId: 'b' };
const byA: Moment = { status: 'delivered', courierId: 'a' };
const carried: Moment = { ...withA, progress: 'picked_up', attempts: 0 };
const tried: Moment = { ...withA, progress: 'attempted', attempts: 1 };
const cancelled: Moment = { status: 'cancelled', courierId: null };

it.each<[string, Moment | null, Moment, NewsKind[]]>([
  ['a new package', null, pending, ['newPackage']],
  ['an accept', pending, withA, ['assigned', 'accepted']],
  ['another courier', withA, withB, ['assigned']],
  ['a delivery', withA, byA, ['delivered']],
  ['an immediate delivery', pending, byA, ['delivered']],
  ['a rejection', withA, pending, ['newPackage', 'rejected']],
  ['a cancellation', pending, cancelled, []],
  ['a cancellation on the way', withA, { ...cancelled, courierId: 'a' }, []],
  ['a reopening', cancelled, pending, ['newPackage']],
  ['a reverted delivery', byA, withA, []],
  ['an edit on offer', pending, pending, []],
  ['an edit on the way', withA, withA, []],
  ['an edit of what was delivered', byA, byA, []],
  ['a pick-up', { ...withA, progress: 'accepted' }, carried, ['pickedUp']],
  ['an edit of what was picked up', carried, carried, []],
  ['a failed attempt', carried, tried, ['attemptFailed']],
  ['another one', tried, { ...tried, attempts: 2 }, ['attemptFailed']],
  ['one taken back', tried, carried, []],
  ['a return', tried, { ...cancelled, courierId: 'a', outcome: 'returned' }, ['returned']],
])('notifications of %s', (_, before, after, kinds) => {
  expect(newsOfChange(before, after)).toEqual(kinds);
});

it('a role gets its own kinds only', () => {
  const subsets = fc.subarray([...pushKinds], { minLength: 1 });
  fc.assert(
    fc.property(fc.constantFrom(...roles), subsets, (role, kinds) => {
      const actor: Actor = { id: 'x', role, isProfileComplete: true };
      const isOwn = kinds.every((kind) => pushKindsOf(role).includes(kind));
      expect(canBeToldOf(actor, kinds).isAllowed).toBe(isOwn);
    }),
  );
  expect(pushKindsOf('Admin')).toEqual([]);
});

it('a message is parsed completely or not at all', () => {
  const message = { kind: 'accepted', id: 'x', packageId: 'KY-000001', naira: 1, to: 'y' };
  expect(readPushMessage(message)).toEqual(message);
  expect(readPushMessage({ ...message, kind: 'party' })).toBeNull();
  expect(readPushMessage(undefined)).toBeNull();
});
