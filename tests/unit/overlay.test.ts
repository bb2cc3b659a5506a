/** mirror ⊕ pending operations: what a screen shows, and the rollback when one is dropped. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordedTypes } from '#contract/event.ts';
import { applyEvent, readCorrection, stepBefore } from '#domain/event.ts';
import { events } from '#domain/event-types.ts';
import { type Intent, isCall, type Operation, operations, requestOf } from '#domain/operation.ts';
import { operationNames } from '#domain/operation-names.ts';
import { overlayPackage, overlayPackages, overlayUser } from '#domain/overlay.ts';
import { notMoving, type Package, type StoredPackage, storedPackage } from '#domain/package.ts';
import { applyPatch } from '#domain/patch.ts';
import { can, factsOf } from '#domain/policy.ts';
import { partyToWire, roleOf, type Self } from '#domain/user.ts';
import { exampleIntent } from '#tests/builders/operations.ts';
import { aPackage, aUser, ids, operationBase, party } from '#tests/builders/package.ts';

const sani = party(ids.courier, 'Sani');
const self: Self = { ...sani, roles: ['Employee'] };
const sender: Self = { ...party(ids.sender), roles: ['Customer'] };
const op = (intent: Intent, seq = 1, changes: Partial<Operation> = {}): Operation =>
  ({ ...operationBase(seq), ...intent, ...changes }) as Operation;

const about = { targetId: ids.package };
const accept: Intent = { ...about, name: 'acceptPackage', args: { courier: partyToWire(sani) } };
const deliver: Intent = { ...about, name: 'deliverPackage', args: {} };
const reject: Intent = { ...about, name: 'rejectDelivery', args: {} };
const remove: Intent = { ...about, name: 'deletePackage', args: {} };
const edit: Intent = {
  ...about,
  name: 'editPackage',
  args: { changes: { priceOffer: 2000, notes: 'Gate 2' } },
};
const create = exampleIntent('createPackage');

const row = aPackage();
const other = party(ids.otherCourier, 'Tanko');
const taken = aPackage({ courier: other, status: 'in-transit' });
const carried = aPackage({ courier: sani, status: 'in-transit' });
const pulled = aPackage({ packageId: 'KY-000042' });
const waiting = { mark: 'waiting' };
const requested = { status: 'in-transit', courier: sani, isAcceptRequested: true, ...waiting };
const edited = { ...row, priceOfferKobo: 200_000, notes: 'Gate 2', ...waiting };
const created = { id: ids.package, packageId: '', status: 'pending', priceOfferKobo: 150_000 };
const rejected = { status: 'pending', courier: null };
const chipOnly = { ...row, mark: 'attention', isAcceptRequested: false };
const done = { status: 'delivered', ...waiting };
const ended = aPackage({ courier: sani, status: 'delivered' });
const withCash: Intent = { ...about, name: 'deliverPackage', args: { isCashCollected: true } };
const report: Intent = {
  ...about,
  name: 'openDispute',
  args: { kind: 'overcharge', text: 'Late' },
};
const reported = { dispute: expect.objectContaining({ text: 'Late', by: 'courier' }), ...waiting };

describe('one package with operations', () => {
  it.each<[string, Package | null, Operation[], object | null, Self?]>([
    ['without any: as mirrored', row, [], { ...row, mark: 'none', isAcceptRequested: false }],
    ['accepted: requested', row, [op(accept)], requested],
    [
      'accepted, but assigned to another: as mirrored',
      taken,
      [op(accept)],
      { courier: other, isAcceptRequested: false, ...waiting },
    ],
    ['delivered after it: by seq', row, [op(deliver, 2), op(accept)], { status: 'delivered' }],
    ['rejected after it: by seq', row, [op(reject, 2), op(accept)], rejected],
    ['disputed: by this person', ended, [op(report)], reported],
    [
      'delivered with its cash: paid as well',
      carried,
      [op(withCash)],
      { ...done, paymentStatus: 'paid' },
    ],
    [
      'delivered without its cash: unpaid',
      carried,
      [op(deliver)],
      { ...done, paymentStatus: 'unpaid' },
    ],
    ['edited, in kobo', row, [op(edit)], edited, sender],
    [
      'edited, its price agreed by now: as mirrored',
      taken,
      [op(edit)],
      { ...taken, ...waiting },
      sender,
    ],
    ['deleted', row, [op(remove)], null, sender],
    ['created', null, [op(create)], { ...created, sender: sani, ...waiting }],
    ['created and deleted', null, [op(create), op(remove, 2)], null, sender],
    ['created and pulled: as mirrored', pulled, [op(create)], { packageId: 'KY-000042' }],
    ['refused: only the chip', row, [op(accept, 1, { state: 'attention' })], chipOnly],
    ['on a missing row', null, [op(edit), op(deliver, 2)], null],
  ])('%s', (_, mirrored, queued, shown, by = self) => {
    const view = overlayPackage(mirrored, queued, by);
    if (shown === null) expect(view).toBeNull();
    else expect(view).toMatchObject(shown);
  });
});

describe('an operation on a package', () => {
  const steps = ['accepted', 'picked_up', 'arrived', 'attempted', 'returning'] as const;
  const dispute = { _id: ids.operation, kind: 'damaged', text: '', by: 'sender' } as const;
  const ended = { courier: sani, status: 'delivered' } as const;
  const states: [string, Package][] = [
    ['on offer', row],
    ...steps.map((progress) => [progress, { ...carried, progress }] as [string, Package]),
    ['taken by another', taken],
    ['delivered', aPackage(ended)],
    ['delivered, the sender says so too', aPackage({ ...ended, verifiedBy: 'sender' })],
    ['delivered, and disputed', aPackage({ ...ended, dispute })],
    ['cancelled', aPackage({ status: 'cancelled' })],
    ['returned', aPackage({ courier: sani, status: 'cancelled', outcome: 'returned' })],
  ];
  const admin: Self = { ...party(ids.admin), roles: ['Admin'] };
  const names = operationNames.filter((name) => operations[name].action !== null);
  const cases = names.flatMap((name) =>
    [sender, self, admin].map((by) => [name, roleOf(by.roles), by] as const),
  );

  /** As the policy has it; null: deleted. */
  function expected(mirrored: Package, operation: Operation, by: Self) {
    const { action } = operations[operation.name];
    const actor = { id: by.id, role: roleOf(by.roles), isProfileComplete: true };
    const [before, at] = [storedPackage(mirrored), operation.createdAt];
    if (!action || !can(actor, action, factsOf(mirrored)).isAllowed) return before;
    if (operation.name === 'deletePackage') return null;
    if (operation.name === 'openDispute') return { dispute: { by: expect.any(String) } };
    if (isCall(operation)) throw new Error(`${operation.name} has no expectation.`);
    const request = requestOf(operation);
    const after =
      request.via === 'event'
        ? applyEvent(before, request.event, at)
        : applyPatch(before, request.patch, at);
    return { ...after, updatedAt: row.updatedAt };
  }

  it.each(cases)('%s by %s: shows all that it does, or the row if it is refused', (...one) => {
    const [name, , by] = one;
    const operation = op(exampleIntent(name));
    for (const [state, mirrored] of states) {
      const view = overlayPackage(mirrored, [operation], by);
      const after = expected(mirrored, operation, by);
      if (after === null) expect(view, state).toBeNull();
      else expect(view && storedPackage(view), state).toMatchObject({ ...after, ...waiting });
    }
  });
});

describe('a step that is taken back', () => {
  const bare = storedPackage(carried);
  // Every field has a value, but for those of an end, which it has not come to.
  const ahead = ['dispute', ...Object.keys(notMoving)];
  const filled = Object.fromEntries(
    Object.entries(bare).map(([name, value]) => [
      name,
      ahead.includes(name) ? value : (value ?? '1'),
    ]),
  ) as unknown as StoredPackage;
  const way = {
    progress: 'picked_up',
    attempts: 1,
    lastAttempt: { reason: 'closed', at: '' },
  } as const;
  const before: StoredPackage = { ...filled, ...way };
  const types = recordedTypes.filter((type) => events[type].isCorrectable);

  it.each(types)('%s: leaves the package as it was, on the server and on the phone', (type) => {
    const after = applyEvent(before, { type }, '2026-11-22T08:00:00.000Z');
    const step = { id: ids.package, type, actorId: self.id, receivedAt: new Date() };
    const last = { ...step, before: stepBefore(before, after) };
    const actor = { id: ids.admin, role: 'Admin', isProfileComplete: true } as const;
    const reading = readCorrection(actor, after, { corrects: step.id, last }, new Date());
    const args = { corrects: step.id, before: way };
    const { senderId: _, courierId: __, ...row } = after;
    const correction = op({ ...about, name: 'correctStep', args });
    const view = overlayPackage(
      { ...row, sender: party(ids.sender), courier: sani },
      [correction],
      self,
    );
    for (const next of [reading.isAllowed && reading.next, view && storedPackage(view)]) {
      expect(next).toMatchObject({ ...before, updatedAt: expect.any(String) });
    }
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
  const user = aUser(self);
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
