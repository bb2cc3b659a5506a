/** mirror ⊕ pending operations: what a screen shows, and the rollback when one is dropped. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent, Operation } from '#domain/operation.ts';
import { overlayPackage, overlayPackages, overlayUser } from '#domain/overlay.ts';
import { partyToWire, type User } from '#domain/user.ts';
import { aPackage, ids, operationBase, party } from '#tests/builders/package.ts';

const self = party(ids.courier, 'Sani');
const op = (intent: Intent, seq = 1, changes: Partial<Operation> = {}): Operation =>
  ({ ...operationBase(seq), ...intent, ...changes }) as Operation;

const accept: Intent = {
  name: 'acceptPackage',
  targetId: ids.package,
  args: { courier: partyToWire(self) },
};
const deliver: Intent = { name: 'deliverPackage', targetId: ids.package, args: {} };
const reject: Intent = { name: 'rejectDelivery', targetId: ids.package, args: {} };
const remove: Intent = { name: 'deletePackage', targetId: ids.package, args: {} };
const edit: Intent = {
  name: 'editPackage',
  targetId: ids.package,
  args: { changes: { priceOffer: 2000, notes: 'Gate 2' } },
};
const create: Intent = {
  name: 'createPackage',
  targetId: ids.package,
  args: {
    _id: ids.package,
    pickupAddress: 'A',
    deliveryAddress: 'B',
    recipientName: 'C',
    recipientPhone: '0803 123 4567',
    recipientEmail: null,
    description: 'D',
    notes: null,
    pickupDate: '2026-11-22T08:00:00.000Z',
    deliveryDate: null,
    priceOffer: 1500,
    paymentMethod: 'app',
  },
};

describe('one package with operations', () => {
  it('without any equals the mirror row, unmarked', () => {
    expect(overlayPackage(aPackage(), [], self)).toEqual({
      ...aPackage(),
      mark: 'none',
      isAcceptRequested: false,
    });
  });

  it('accepted locally is requested, in transit, with oneself as courier', () => {
    expect(overlayPackage(aPackage(), [op(accept)], self)).toMatchObject({
      status: 'in-transit',
      courier: self,
      mark: 'waiting',
      isAcceptRequested: true,
    });
  });

  it("accepted locally but assigned to another by the server shows the server's state", () => {
    const other = party(ids.otherCourier, 'Tanko');
    const taken = aPackage({ courier: other, status: 'in-transit' });
    expect(overlayPackage(taken, [op(accept)], self)).toMatchObject({
      courier: other,
      isAcceptRequested: false,
      mark: 'waiting',
    });
  });

  it('applies operations by seq, regardless of their order', () => {
    const operations = [op(deliver, 2), op(accept, 1)];
    expect(overlayPackage(aPackage(), operations, self)?.status).toBe('delivered');
    const undone = [op(reject, 2), op(accept, 1)];
    expect(overlayPackage(aPackage(), undone, self)).toMatchObject({
      status: 'pending',
      courier: null,
    });
  });

  it('edited shows the change, in kobo', () => {
    expect(overlayPackage(aPackage(), [op(edit)], self)).toMatchObject({
      priceOfferKobo: 200_000,
      notes: 'Gate 2',
      pickupAddress: aPackage().pickupAddress,
      mark: 'waiting',
    });
  });

  it('deleted disappears, created appears', () => {
    expect(overlayPackage(aPackage(), [op(remove)], self)).toBeNull();
    expect(overlayPackage(null, [op(create)], self)).toMatchObject({
      id: ids.package,
      packageId: '',
      status: 'pending',
      priceOfferKobo: 150_000,
      sender: self,
      mark: 'waiting',
    });
    expect(overlayPackage(null, [op(create), op(remove, 2)], self)).toBeNull();
  });

  it("created locally and already pulled shows the server's row", () => {
    const row = aPackage({ packageId: 'KY-000042' });
    expect(overlayPackage(row, [op(create)], self)?.packageId).toBe('KY-000042');
  });

  it('an operation that needs attention changes only the chip', () => {
    expect(overlayPackage(aPackage(), [op(accept, 1, { state: 'attention' })], self)).toEqual({
      ...aPackage(),
      mark: 'attention',
      isAcceptRequested: false,
    });
  });

  it('an operation on a missing row shows nothing', () => {
    expect(overlayPackage(null, [op(edit), op(deliver, 2)], self)).toBeNull();
  });
});

const anyOperation = fc
  .tuple(
    fc.constantFrom(accept, deliver, reject, remove, edit, create),
    fc.integer({ min: 1, max: 9999 }),
    fc.constantFrom('waiting' as const, 'attention' as const),
  )
  .map(([intent, seq, state]) => op(intent, seq, { state }));

describe('all packages with all operations', () => {
  const distinct = fc.uniqueArray(anyOperation, { selector: (one) => one.seq });

  it('each equals its own overlay, whatever the order of operations', () => {
    fc.assert(
      fc.property(distinct, fc.boolean(), (operations, isMirrored) => {
        const rows = isMirrored ? [aPackage()] : [];
        const alone = overlayPackage(rows[0] ?? null, operations, self);
        expect(overlayPackages(rows, [...operations].reverse(), self)).toEqual(
          alone === null ? [] : [alone],
        );
      }),
    );
  });

  it('do not modify the mirror: dropping the operations rolls back', () => {
    fc.assert(
      fc.property(distinct, (operations) => {
        const rows = Object.freeze([Object.freeze(aPackage())]);
        overlayPackages(rows, operations, self);
        expect(overlayPackages(rows, [], self)[0]).toMatchObject(aPackage());
      }),
    );
  });
});

describe('a user with profile edits', () => {
  const user: User = {
    ...self,
    address: null,
    vehicle: null,
    isActive: true,
    roles: ['Employee'],
    balance: 0,
    version: 1,
  };
  const rename: Intent = {
    name: 'editProfile',
    targetId: user.id,
    args: { changes: { firstName: 'Sule' } },
  };

  it('shows the change and the chip; if refused, only the chip', () => {
    expect(overlayUser(user, [op(rename)])).toMatchObject({ firstName: 'Sule', mark: 'waiting' });
    expect(overlayUser(user, [op(rename, 1, { state: 'attention' })])).toMatchObject({
      firstName: 'Sani',
      mark: 'attention',
    });
  });

  it("ignores another user's edits", () => {
    expect(overlayUser(user, [op({ ...rename, targetId: ids.sender })]).mark).toBe('none');
  });
});
