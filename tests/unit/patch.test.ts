/** A patch of courier or status maps to a policy action or a refusal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transition } from '#domain/patch.ts';
import { deliveryStatuses } from '#domain/status.ts';
import { actor, facts, ids } from '#tests/builders/package.ts';

const sender = actor('Customer', ids.sender);
const courier = actor('Employee', ids.courier);
const admin = actor('Admin', ids.admin);
const pending = facts();
const transit = facts({ status: 'in-transit', courierId: ids.courier });
const delivered = facts({ status: 'delivered', courierId: ids.courier });

describe('a patch of courier and status', () => {
  it('naming oneself is accepting, with or without the status', () => {
    const accepted = {
      isAllowed: true,
      actions: ['accept'],
      courierId: ids.courier,
      status: 'in-transit',
    };
    expect(transition(courier, pending, { courierId: ids.courier, status: 'in-transit' })).toEqual(
      accepted,
    );
    expect(transition(courier, pending, { courierId: ids.courier })).toEqual(accepted);
  });

  it('naming a new courier while it stays on offer is refused', () => {
    const wanted = { courierId: ids.courier, status: 'pending' } as const;
    const refused = { isAllowed: false, code: 'invalid_state' };
    expect(transition(courier, pending, wanted)).toEqual(refused);
    expect(transition(courier, transit, wanted)).toMatchObject({ actions: ['reject'] });
  });

  it('clearing the courier is rejecting, with or without the status', () => {
    const rejected = { isAllowed: true, actions: ['reject'], courierId: null, status: 'pending' };
    expect(transition(courier, transit, { courierId: null, status: 'pending' })).toEqual(rejected);
    expect(transition(courier, transit, { courierId: null })).toEqual(rejected);
    expect(transition(courier, transit, { status: 'pending' })).toEqual(rejected);
  });

  it('of the status alone delivers or cancels', () => {
    expect(transition(courier, transit, { status: 'delivered' })).toMatchObject({
      actions: ['deliver'],
    });
    expect(transition(sender, pending, { status: 'cancelled' })).toMatchObject({
      actions: ['cancel'],
      status: 'cancelled',
    });
  });

  it('taking and delivering in one step is for admins only', () => {
    const both = { courierId: ids.courier, status: 'delivered' as const };
    expect(transition(courier, pending, both)).toEqual({ isAllowed: false, code: 'forbidden' });
    expect(transition(admin, pending, both)).toMatchObject({ actions: ['assign'] });
  });

  it('with the current values is no action', () => {
    expect(transition(courier, transit, { courierId: ids.courier, status: 'in-transit' })).toEqual({
      isAllowed: true,
      actions: [],
      courierId: ids.courier,
      status: 'in-transit',
    });
  });

  it('naming another courier is assigning, for admins only', () => {
    expect(transition(admin, pending, { courierId: ids.courier })).toMatchObject({
      actions: ['assign'],
    });
    expect(transition(courier, pending, { courierId: ids.otherCourier })).toEqual({
      isAllowed: false,
      code: 'forbidden',
    });
  });

  it('in transit or delivered without a courier is refused', () => {
    expect(transition(admin, pending, { status: 'in-transit' })).toEqual({
      isAllowed: false,
      code: 'courier_required',
    });
    expect(transition(sender, pending, { status: 'in-transit' })).toEqual({
      isAllowed: false,
      code: 'courier_required',
    });
  });

  it('of a final package is for admins only', () => {
    expect(transition(courier, delivered, { status: 'pending' }).isAllowed).toBe(false);
    expect(transition(sender, delivered, { status: 'in-transit' }).isAllowed).toBe(false);
    expect(transition(admin, delivered, { status: 'pending' })).toMatchObject({
      actions: ['reopen'],
      courierId: null,
    });
  });

  it('of an invisible package is not_found', () => {
    const stranger = actor('Customer', ids.otherSender);
    expect(transition(stranger, pending, { status: 'in-transit' })).toEqual({
      isAllowed: false,
      code: 'not_found',
    });
  });
});

describe('any patch', () => {
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
    sender,
    courier,
    admin,
    actor('Employee', ids.otherCourier),
    actor('Customer', ids.otherSender),
    actor('Employee', ids.sender),
  );
  const wanted = fc.record(
    {
      courierId: fc.constantFrom(null, ids.courier, ids.otherCourier),
      status: fc.constantFrom(...deliveryStatuses),
    },
    { requiredKeys: [] },
  );

  it('keeps a courier on packages in transit or delivered, and none on offers', () => {
    fc.assert(
      fc.property(anyActor, anyFacts, wanted, (who, before, asked) => {
        const result = transition(who, before, asked);
        if (!result.isAllowed) return;
        if (result.status === 'pending') expect(result.courierId).toBeNull();
        if (result.status === 'in-transit' || result.status === 'delivered') {
          expect(result.courierId).not.toBeNull();
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('changes nothing without an action the policy allows', () => {
    fc.assert(
      fc.property(anyActor, anyFacts, wanted, (who, before, asked) => {
        const result = transition(who, before, asked);
        if (!result.isAllowed || result.actions.length > 0) return;
        expect(result.status).toBe(before.status);
        expect(result.courierId).toBe(before.courierId);
      }),
      { numRuns: 2000 },
    );
  });

  it('delivers only from in transit, except by an admin', () => {
    fc.assert(
      fc.property(anyActor, anyFacts, wanted, (who, before, asked) => {
        if (who.role === 'Admin' || before.status === 'delivered') return;
        const result = transition(who, before, asked);
        if (!result.isAllowed || result.status !== 'delivered') return;
        expect(before.status).toBe('in-transit');
      }),
      { numRuns: 2000 },
    );
  });

  it('changes a final package only by an admin', () => {
    fc.assert(
      fc.property(anyActor, anyFacts, wanted, (who, before, asked) => {
        if (who.role === 'Admin' || !['delivered', 'cancelled'].includes(before.status)) return;
        const result = transition(who, before, asked);
        if (result.isAllowed) expect(result.status).toBe(before.status);
      }),
      { numRuns: 2000 },
    );
  });
});
