/** A patch maps to actions of the policy or a refusal, and to the next package. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { progressSteps } from '#contract/event.ts';
import type { PatchPackageBody } from '#contract/package.ts';
import { applyEvent } from '#domain/event.ts';
import { events } from '#domain/event-types.ts';
import { isCall, type Operation, operations, requestOf } from '#domain/operation.ts';
import { type OperationName, operationNames } from '#domain/operation-names.ts';
import { type StoredPackage, storedPackage } from '#domain/package.ts';
import { progressOf } from '#domain/package-state.ts';
import { differingFields, parsePatch, readPatch, transition, type Wanted } from '#domain/patch.ts';
import { type Actor, can, type PackageAction, type PackageFacts } from '#domain/policy.ts';
import { newsOfChange } from '#domain/push.ts';
import { type DeliveryStatus, deliveryStatuses } from '#domain/status.ts';
import { timelineOf } from '#package-ui/timeline-rules.ts';
import { eventsOfChange } from '#server/modules/packages/event-rules.ts';
import { patchBodyOf } from '#sync/operations.ts';
import { exampleIntent } from '#tests/builders/operations.ts';
import { actor, aPackage, facts, ids } from '#tests/builders/package.ts';
import { patchValues } from '#tests/builders/patch-values.ts';
import { packageView } from './screens/package-view.ts';

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

/** Packages of `sender` in every state and at every step, for cash and from the wallet. */
const everyPackage = [
  ...[pending, delivered, facts({ status: 'cancelled' })],
  ...progressSteps.map((progress) => ({ ...transit, progress })),
].flatMap((state) =>
  (['cash', 'app'] as const).map((paymentMethod) => ({
    ...storedPackage(aPackage()),
    ...state,
    paymentMethod,
  })),
);
const everyone = [sender, courier, admin, stranger]
  .concat(actor('Employee', ids.otherCourier))
  .concat(actor('Employee', ids.sender));
const everyBody = Object.entries(
  patchValues([ids.courier, ids.otherCourier, ids.sender], 42),
).flatMap(([field, values]) => values.map((value: unknown) => ({ [field]: value })));

function read(who: Actor, pkg: StoredPackage, body: PatchPackageBody | null) {
  const patch = body && parsePatch(body);
  return patch && readPatch(who, pkg, patch, pkg.updatedAt);
}

/** The body of the operation's PATCH; null: it is sent by another request. */
function bodyOf(name: OperationName): PatchPackageBody | null {
  const intent = exampleIntent(name);
  if (isCall(intent)) return null;
  const request = requestOf(intent);
  return request.via === 'patch' ? patchBodyOf(request.patch) : null;
}

function patched(who: Actor, pkg: StoredPackage, body: PatchPackageBody): StoredPackage {
  const reading = read(who, pkg, body);
  if (!reading?.isAllowed) throw new Error(`${who.role} may not ${JSON.stringify(body)}`);
  return reading.next;
}

describe('a patch of any field', () => {
  const judged = (pkg: StoredPackage, { paymentMethod }: StoredPackage) => [
    pkg,
    { ...pkg, paymentMethod },
  ];

  const allowedAt = (packages: readonly StoredPackage[]) =>
    everyone.flatMap((who) =>
      packages.flatMap((pkg) =>
        everyBody.flatMap((body) => {
          const reading = read(who, pkg, body);
          const label = `${who.role} ${who.id}, ${pkg.status}, ${JSON.stringify(body)}`;
          return reading?.isAllowed ? [{ who, pkg, body, label, ...reading }] : [];
        }),
      ),
    );
  const allowed = allowedAt(everyPackage);
  /** What a body changed can be changed again: with each of their later fields set. */
  const reached = [...new Map(allowed.map(({ next }) => [JSON.stringify(next), next])).values()];

  it('changes nothing without an action that the policy allows', () => {
    for (const { who, pkg, label, actions, next } of [...allowed, ...allowedAt(reached)]) {
      expect(actions.length > 0, label).toBe(differingFields(pkg, next).length > 0);
      for (const action of actions) {
        const isAllowed = judged(pkg, next).some((some) => can(who, action, some).isAllowed);
        expect(isAllowed, `${label}: ${action}`).toBe(true);
      }
    }
  });

  it('moves the package as its history says, and is news only if it moves', () => {
    for (const { pkg, label, actions, changed, next } of allowed) {
      const isPaid = next.paymentStatus === 'paid';
      const types = eventsOfChange({ actions, changed, before: pkg, isPaid }).map(
        ({ type }) => type,
      );
      if (actions.length > 0) expect(types, label).not.toEqual([]);
      const steps = types.flatMap((type) => events[type].progress ?? []);
      if (steps.length > 0) expect(steps, label).toEqual([progressOf(next)]);
      const isMoved = (['courierId', 'status', 'progress', 'outcome'] as const).some(
        (field) => pkg[field] !== next[field],
      );
      expect(
        types.some((type) => events[type].isMoving),
        label,
      ).toBe(isMoved);
      if (!isMoved) expect(newsOfChange(pkg, next), label).toEqual([]);
    }
  });

  it.each(
    operationNames,
  )('%s is told by the timeline while it waits and once it is sent', (name) => {
    const intent = exampleIntent(name);
    const body = bodyOf(name);
    if (!body) return;
    const said = everyone.flatMap((who) =>
      everyPackage.flatMap((pkg) => {
        const reading = read(who, pkg, body);
        if (!reading?.isAllowed || reading.actions.length === 0) return [];
        return eventsOfChange({ ...reading, before: pkg, isPaid: false }).map(({ type }) => type);
      }),
    );
    const operation = { ...intent, id: 'op', seq: 1, state: 'waiting', createdAt: '' } as Operation;
    const known = { view: packageView(), history: { version: 1, events: [] }, readerId: '' };
    const waiting = timelineOf({ ...known, operations: [operation] }).filter(
      ({ isWaiting }) => isWaiting,
    );
    expect(waiting.map(({ name: event }) => said.includes(event))).toEqual(
      said.length > 0 ? [true] : [],
    );
  });

  it('sets what it says', () => {
    // Where these lead to is a table above; the price is in kobo.
    const others = ['deliveryPersonId', 'deliveryStatus', 'priceOffer'];
    for (const { body, label, next } of allowed) {
      const same = Object.entries(body).filter(([name]) => !others.includes(name));
      expect(next, label).toMatchObject(Object.fromEntries(same));
    }
  });

  const carried = { ...storedPackage(aPackage()), ...transit };
  const other = { deliveryPersonId: ids.otherCourier };
  const rejection = { deliveryPersonId: null, deliveryStatus: 'Pending' };
  const handedOver = (pkg: StoredPackage) => {
    const event = { type: 'handover', courierId: ids.otherCourier } as const;
    return applyEvent(applyEvent(pkg, { type: 'picked_up' }, pkg.updatedAt), event, pkg.updatedAt);
  };
  const reopened = (pkg: StoredPackage) =>
    patched(admin, patched(courier, pkg, { deliveryStatus: 'Delivered' }), rejection);

  /** After each field that the courier may set in transit. */
  const setByCourier = progressSteps
    .filter((progress) => progress !== 'returning')
    .map((progress) => ({ ...carried, progress }))
    .flatMap((before) =>
      everyBody.flatMap((body) => {
        const reading = read(courier, before, body);
        const isSet = reading?.isAllowed && reading.next.status === 'in-transit';
        return isSet ? [{ before, body, after: reading.next }] : [];
      }),
    );

  it('is kept by a delivery, which sets only status and time', () => {
    const delivery = (pkg: StoredPackage) =>
      differingFields(pkg, patched(courier, pkg, { deliveryStatus: 'Delivered' }));
    for (const { before, after } of setByCourier) {
      expect(delivery(after)).toEqual(delivery(before));
    }
  });

  it.each([
    ['gives the package back', rejection],
    ['gives it to another courier', other],
  ])('leaves nothing behind if the same PATCH %s', (_, leave) => {
    for (const { before, body, after } of setByCourier) {
      const gone = patched(admin, before, leave);
      const said = [courier, admin].flatMap((who) =>
        [before, after].map((pkg) => read(who, pkg, { ...body, ...leave })),
      );
      for (const reading of said) {
        const left = reading?.isAllowed ? differingFields(gone, reading.next) : [];
        expect(['paymentStatus', 'updatedAt'], JSON.stringify(body)).toEqual(
          expect.arrayContaining(left),
        );
      }
    }
  });

  it.each<[string, (pkg: StoredPackage) => StoredPackage]>([
    ['a reject', (pkg) => patched(admin, pkg, rejection)],
    ['another courier', (pkg) => patched(admin, pkg, other)],
    ['a handover', handedOver],
    ['a delivery that is reopened', reopened],
  ])('is undone by %s if a courier made it, except that cash was paid', (_, leave) => {
    for (const { before, after } of setByCourier) {
      const left = differingFields(leave(before), leave(after));
      expect(['paymentStatus', 'updatedAt']).toEqual(expect.arrayContaining(left));
    }
  });
});

describe('the PATCH of a queued operation', () => {
  const names = operationNames.filter((name) => bodyOf(name) !== null);

  it.each(names)('%s asks for its action and no other', (name) => {
    const asked = everyone.flatMap((who) =>
      everyPackage.map((pkg) => {
        const reading = read(who, pkg, bodyOf(name));
        return reading?.isAllowed ? reading.actions.join() : '';
      }),
    );
    expect(asked).toContain(operations[name].action);
  });

  afterEach(() => void vi.useRealTimers());
  it.each(names)('%s is the same whenever it is sent', (name) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const body = bodyOf(name);
    vi.setSystemTime(60_000);
    expect(bodyOf(name)).toEqual(body);
  });

  const buttons = names.filter((name) => operations[name].input === 'button');
  it.each(buttons)('%s is neither offered nor done again once it is done', (name) => {
    const { action } = operations[name];
    for (const who of everyone) {
      for (const pkg of everyPackage) {
        const reading = read(who, pkg, bodyOf(name));
        if (!reading?.isAllowed || !action || !reading.actions.includes(action)) continue;
        const label = `${who.role}, ${pkg.status}`;
        expect(can(who, action, reading.next).isAllowed, label).toBe(false);
        const again = read(who, reading.next, bodyOf(name));
        expect(again?.isAllowed ? again.actions : [], label).not.toContain(action);
      }
    }
  });
});
