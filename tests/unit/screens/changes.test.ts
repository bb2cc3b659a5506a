import { describe, expect, it } from 'vitest';
import type { Operation } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { neededProfileEdit, orderOf, whyNotCancellable } from '#features/outbox/order.ts';
import { reasonOf } from '#features/outbox/reasons.ts';
import { detailsOf, subjectOf } from '#features/outbox/subject.ts';
import { nameOf, whatChanged } from '#features/outbox/what-changed.ts';
import { exampleIntent } from '#tests/builders/operations.ts';
import { aPackage, ids, operationBase } from '#tests/builders/package.ts';

const op = (name: OperationName, changes: object = {}, seq = 1) =>
  ({ ...operationBase(seq), ...exampleIntent(name), ...changes }) as Operation;
const accept = op('acceptPackage');
const create = op('createPackage', { args: { description: 'A crate of kola nuts' } });

describe('a change identifies its package', () => {
  it('by number and description if it is on the phone', () => {
    expect(subjectOf(accept, aPackage())).toBe('KY-000001 · Two bolts of indigo cloth');
  });

  it('by its input if the package was never created', () => {
    expect(subjectOf(create, null)).toBe('A crate of kola nuts');
  });

  it('by its input even if edited or deleted before it was sent', () => {
    const remove = op('deletePackage', {}, 2);
    expect(subjectOf(remove, null, [create, remove])).toBe('A crate of kola nuts');
  });

  it('or says that the phone no longer has it', () => {
    expect(subjectOf(accept, null)).toMatch(/^No longer available/);
  });

  it('and can be copied in full for support', () => {
    const lastError = { code: 'conflict', message: 'Someone else', status: 409, at: '' };
    const text = detailsOf({ ...create, lastError }, 'A crate of kola nuts');
    expect(text).toContain('Package: A crate of kola nuts\n');
    expect(text).toContain('Description: A crate of kola nuts\n');
    // In the local time of the reader.
    expect(text).toMatch(/^Made: 21 Nov 2026, 11:00/m);
    expect(text).not.toContain('{');
    for (const part of ['Create package', 'Someone else (409 conflict)', ids.package, create.id]) {
      expect(text).toContain(part);
    }
  });
});

const edit = (seq: number, changes: object) => op('editPackage', { args: { changes } }, seq);

describe('two edits of one package', () => {
  const first = edit(2, { priceOffer: 1777 });
  const second = edit(3, {
    priceOffer: 1900,
    notes: 'Ring twice at the green gate, not the white',
  });
  const row = aPackage();

  it('are distinguished by their changes, each relative to the previous', () => {
    expect(whatChanged(first, [first, second], row)).toEqual(['Price Offer ₦1,500 → ₦1,777']);
    expect(whatChanged(second, [first, second], row)).toEqual([
      'Price Offer ₦1,777 → ₦1,900',
      'Notes: “Ring twice at the green gate, not the wh…”',
    ]);
  });

  it('name removed values and values of the create', () => {
    const remove = edit(2, { notes: null });
    expect(whatChanged(remove, [remove], row)).toEqual(['Notes removed']);
    const made = { ...create, args: { ...create.args, priceOffer: 700 } } as Operation;
    const after = edit(2, { priceOffer: 777 });
    expect(whatChanged(after, [made, after], null)).toEqual(['Price Offer ₦700 → ₦777']);
  });

  it('refer to each other that way', () => {
    expect(orderOf(second, [first, second], row, null)).toBe(
      'After “Edit package: Price Offer ₦1,500 → ₦1,777”',
    );
    expect(nameOf(second, [first, second], row)).toBe(
      'Edit package: Price Offer ₦1,777 → ₦1,900 and 1 more',
    );
    const refused = { ...first, state: 'attention' } as Operation;
    const leaning = {
      ...second,
      state: 'attention',
      lastError: { code: 'depends_on_refused', message: '', status: 0, at: '' },
    } as Operation;
    expect(reasonOf(leaning, refused, { baseName: nameOf(first, [first], row) })?.what).toBe(
      'It depends on “Edit package: Price Offer ₦1,500 → ₦1,777”, which was refused.',
    );
  });
});

describe('a waiting change', () => {
  const profile = op('editProfile', { targetId: ids.courier }, 0);

  it('is not called next if the profile has to go first', () => {
    expect(neededProfileEdit([profile, accept], null)).toBe(profile);
    expect(orderOf(accept, [accept], null, profile)).toBe('After “Edit profile”');
    expect(orderOf(accept, [accept], null, null)).toBe('Next to be sent');
  });

  it('explains why it cannot be cancelled, and the alternative for an acceptance', () => {
    expect(whyNotCancellable(create, [create])).toMatch(/^It may already have been sent/);
    expect(whyNotCancellable(accept, [accept])).toMatch(/reject the delivery/);
    const [one, two] = [edit(2, { notes: 'a' }), edit(3, { notes: 'b' })];
    expect(whyNotCancellable(one, [create, one, two])).toMatch(
      /Undo the changes that depend on it first/,
    );
  });
});

it('delivering a package reassigned to another courier is reported as no longer assigned', () => {
  const lastError = { code: 'forbidden', message: '', status: 403, at: '' };
  const deliver = op('deliverPackage', { state: 'attention', lastError });
  const what = (isTakenAway: boolean) => reasonOf(deliver, null, { isTakenAway })?.what;
  expect(what(true)).toBe('It is no longer assigned to you.');
  expect(what(false)).toBe('You are not allowed to do this.');
});
