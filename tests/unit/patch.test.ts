/** A patch of courier or status maps to a policy action or a refusal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Intent, type OperationArgs, operations, patchBodyOf } from '#domain/operation.ts';
import { type OperationName, operationNames } from '#domain/operation-names.ts';
import { storedPackage } from '#domain/package.ts';
import {
  type PackagePatch,
  parsePatch,
  readPatch,
  transition,
  type Wanted,
} from '#domain/patch.ts';
import type { Actor, PackageAction, PackageFacts } from '#domain/policy.ts';
import { type DeliveryStatus, deliveryStatuses } from '#domain/status.ts';
import { partyToWire } from '#domain/user.ts';
import { actor, aPackage, facts, ids, party } from '#tests/builders/package.ts';

const sender = actor('Customer', ids.sender);
const courier = actor('Employee', ids.courier);
const admin = actor('Admin', ids.admin);
const stranger = actor('Customer', ids.otherSender);
const taken = (status?: DeliveryStatus) => ({ courierId: ids.courier, status });
const free = (status?: DeliveryStatus) => ({ courierId: null, status });
const pending = facts();
const transit = facts({ status: 'in-transit', courierId: ids.courier });
const delivered = facts({ status: 'delivered', courierId: ids.courier });

describe('a patch of courier and status', () => {
  it.each<[string, Actor, PackageFacts, Wanted, PackageAction[], Wanted]>([
    ['oneself', courier, pending, taken('in-transit'), ['accept'], taken('in-transit')],
    ['oneself alone', courier, pending, taken(), ['accept'], taken('in-transit')],
    ['oneself, on offer', courier, transit, taken('pending'), ['reject'], free('pending')],
    ['nobody', courier, transit, free('pending'), ['reject'], free('pending')],
    ['nobody alone', courier, transit, free(), ['reject'], free('pending')],
    ['pending', courier, transit, { status: 'pending' }, ['reject'], free('pending')],
    ['delivered', courier, transit, { status: 'delivered' }, ['deliver'], taken('delivered')],
    ['cancelled', sender, pending, { status: 'cancelled' }, ['cancel'], free('cancelled')],
    ['a courier', admin, pending, taken(), ['assign'], taken('in-transit')],
    ['a delivering courier', admin, pending, taken('delivered'), ['assign'], taken('delivered')],
    ['the same', courier, transit, taken('in-transit'), [], taken('in-transit')],
    ['pending again', admin, delivered, { status: 'pending' }, ['reopen'], free('pending')],
  ])('to %s is an action', (_, who, before, wanted, actions, after) => {
    expect(transition(who, before, wanted)).toEqual({ isAllowed: true, actions, ...after });
  });

  it.each<[string, Actor, PackageFacts, Wanted, string]>([
    ['to a courier, still on offer', courier, pending, taken('pending'), 'invalid_state'],
    ['to oneself, delivered', courier, pending, taken('delivered'), 'forbidden'],
    ['to another courier', courier, pending, { courierId: ids.otherCourier }, 'forbidden'],
    ['to in transit', sender, pending, { status: 'in-transit' }, 'courier_required'],
    ['to in transit, by an admin', admin, pending, { status: 'in-transit' }, 'courier_required'],
    ['to cancelled, on its way', sender, transit, { status: 'cancelled' }, 'courier_assigned'],
    ['after the delivery', courier, delivered, { status: 'pending' }, 'forbidden'],
    ['of an invisible package', stranger, pending, { status: 'in-transit' }, 'not_found'],
  ])('%s is refused', (_, who, before, wanted, code) => {
    expect(transition(who, before, wanted)).toEqual({ isAllowed: false, code });
  });

  const anyFacts = fc
    .record({
      courierId: fc.constantFrom(null, ids.courier),
      status: fc.constantFrom(...deliveryStatuses),
    })
    // The invariant: a package in transit or delivered has a courier; one on offer has none.
    .filter(({ courierId, status }) =>
      status === 'cancelled' ? true : (courierId === null) === (status === 'pending'),
    )
    .map((some) => facts(some));
  const anyActor = fc.constantFrom(
    ...[sender, courier, admin, stranger],
    actor('Employee', ids.otherCourier),
    actor('Employee', ids.sender),
  );
  const wanted = fc.record(
    {
      courierId: fc.constantFrom(null, ids.courier, ids.otherCourier),
      status: fc.constantFrom(...deliveryStatuses),
    },
    { requiredKeys: [] },
  );

  it('leaves a valid package, changes nothing without an action, and nothing final unless by an admin', () => {
    fc.assert(
      fc.property(anyActor, anyFacts, wanted, (who, before, asked) => {
        const result = transition(who, before, asked);
        if (!result.isAllowed) return;
        const { courierId, status, actions } = result;
        if (status === 'pending') expect(courierId).toBeNull();
        if (status === 'in-transit' || status === 'delivered') expect(courierId).not.toBeNull();
        if (actions.length === 0) {
          expect([status, courierId]).toEqual([before.status, before.courierId]);
        }
        if (who.role === 'Admin') return;
        if (['delivered', 'cancelled'].includes(before.status)) expect(status).toBe(before.status);
        else if (status === 'delivered') expect(before.status).toBe('in-transit');
      }),
      { numRuns: 4000 },
    );
  });
});

describe('the PATCH of a queued operation', () => {
  const withArguments: { [N in OperationName]?: OperationArgs<N> } = {
    editPackage: { changes: { notes: 'Ring twice' } },
    acceptPackage: { courier: partyToWire(party(ids.courier)) },
  };
  const names = operationNames.filter((name) => operations[name].patch !== null);

  it.each(names)('%s asks for its action and no other', (name) => {
    const { action } = operations[name];
    const args = withArguments[name] ?? {};
    const patch = parsePatch(patchBodyOf({ name, targetId: ids.package, args } as Intent) ?? {});
    const everyone = [sender, courier, admin];
    const asked = everyone.flatMap((who) =>
      [pending, transit, delivered].map((some) => {
        const pkg = { ...storedPackage(aPackage()), ...some };
        const reading = readPatch(who, pkg, patch as PackagePatch, pkg.updatedAt);
        return reading.isAllowed ? reading.actions.join() : '';
      }),
    );
    expect(asked).toContain(action);
  });
});
