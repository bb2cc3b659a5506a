import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackageChanges } from '#contract/package.ts';
import {
  chosenEdit,
  type Edit,
  fieldChoices,
  isConflict,
  type Side,
  sideOf,
} from '#domain/conflict.ts';
import type { OperationError } from '#domain/operation.ts';
import { packageToWire } from '#domain/package.ts';
import { aPackage, aUser, ids, operationBase, party } from '#tests/builders/package.ts';

const error: OperationError = { code: 'conflict', message: 'No.', status: 409, at: '' };

function anEdit(changes: PackageChanges, contested?: readonly string[]): Edit {
  const fields = contested && Object.fromEntries(contested.map((name) => [name, 'Changed.']));
  return {
    ...operationBase(),
    name: 'editPackage',
    targetId: ids.package,
    state: 'attention',
    lastError: fields ? { ...error, fields } : error,
    args: { changes, baseVersion: 1 },
  };
}

/** Fields changed here, some of them named by the server. Values often equal the server's. */
const anyEdit = fc
  .record(
    {
      description: fc.constantFrom('Two bolts of indigo cloth', 'Mine', 'Other'),
      notes: fc.constantFrom(null, 'Fragile', 'This side up'),
      pickupAddress: fc.constantFrom('12 Kofar Mata Road, Kano', '1 Zoo Road'),
      priceOffer: fc.constantFrom(1500, 1500.1, 2000),
      paymentMethod: fc.constantFrom('cash' as const, 'app' as const),
      deliveryDate: fc.constantFrom(null, '2026-11-23T08:00:00.000Z'),
    },
    { requiredKeys: [] },
  )
  .chain((changes) =>
    fc
      .subarray(Object.keys(changes))
      .map((contested) => ({ changes, contested, edit: anEdit(changes, contested) })),
  );
const current = aPackage({ version: 7, notes: 'Fragile', priceOfferKobo: 150_010 });
const wire = new Map<string, unknown>(Object.entries(packageToWire(current)));
const anySides = fc.dictionary(
  fc.constantFrom('description', 'notes', 'pickupAddress', 'priceOffer', 'paymentMethod'),
  fc.constantFrom<Side>('mine', 'theirs'),
);

describe('a conflict', () => {
  it('is a refused edit with that code only', () => {
    expect(isConflict(anEdit({ notes: 'x' }))).toBe(true);
    expect(isConflict({ ...anEdit({ notes: 'x' }), state: 'waiting' })).toBe(false);
    const forbidden = { ...error, code: 'forbidden' };
    expect(isConflict({ ...anEdit({ notes: 'x' }), lastError: forbidden })).toBe(false);
  });

  it('includes a pin that was moved, and not one at the same place', () => {
    const here = { lat: 12.0022, lng: 8.5919 };
    const there = { lat: 11.9702, lng: 8.5434 };
    const pinned = aPackage({ version: 7, pickupLocation: { ...here } });
    const edit = anEdit({ pickupLocation: here, deliveryLocation: there }, ['deliveryLocation']);
    expect(fieldChoices(edit, pinned)).toEqual([
      { field: 'deliveryLocation', mine: there, theirs: null, isContested: true },
    ]);
    expect(chosenEdit(edit, pinned, { deliveryLocation: 'mine' })?.args).toEqual({
      changes: { deliveryLocation: there },
      baseVersion: 7,
    });
  });

  it('preselects theirs for fields others changed and mine for the rest', () => {
    const edit = anEdit({ description: 'Mine', pickupAddress: '1 Zoo Road' }, ['description']);
    const choices = fieldChoices(edit, current);
    const { description, pickupAddress } = packageToWire(current);
    expect(choices).toEqual([
      { field: 'description', mine: 'Mine', theirs: description, isContested: true },
      { field: 'pickupAddress', mine: '1 Zoo Road', theirs: pickupAddress, isContested: false },
    ]);
    expect(choices.map((choice) => sideOf(choice, {}))).toEqual(['theirs', 'mine']);
  });

  it('treats every field as contested if the server names none', () => {
    const choices = fieldChoices(anEdit({ description: 'Mine', notes: 'x' }), current);
    expect(choices.map(({ isContested }) => isContested)).toEqual([true, true]);
  });

  it('covers profiles too', () => {
    const user = aUser(party(ids.courier, 'Sani'), { version: 4, address: 'Kano' });
    const edit: Edit = {
      ...anEdit({}),
      name: 'editProfile',
      targetId: ids.courier,
      args: { changes: { firstName: 'Sanusi', address: null, lastName: 'Bello' }, baseVersion: 2 },
      lastError: { ...error, fields: { address: 'Changed.' } },
    };
    expect(fieldChoices(edit, user)).toEqual([
      { field: 'firstName', mine: 'Sanusi', theirs: 'Sani', isContested: false },
      { field: 'address', mine: null, theirs: 'Kano', isContested: true },
    ]);
    expect(chosenEdit(edit, user, {})).toEqual({
      name: 'editProfile',
      targetId: ids.courier,
      args: { changes: { firstName: 'Sanusi' }, baseVersion: 4 },
    });
  });

  it('offers each field that differs, and sends exactly those resolved as mine', () => {
    fc.assert(
      fc.property(anyEdit, anySides, ({ changes, contested, edit }, sides) => {
        const isMine = (name: string) => {
          const isContested = contested.length === 0 || contested.includes(name);
          return (sides[name] ?? (isContested ? 'theirs' : 'mine')) === 'mine';
        };
        const differing = Object.entries(changes).filter(([name, mine]) => wire.get(name) !== mine);
        const offered = fieldChoices(edit, current).map(({ field }) => field);
        expect(offered.sort()).toEqual(differing.map(([name]) => name).sort());
        const mine = differing.filter(([name]) => isMine(name));
        expect(chosenEdit(edit, current, sides)?.args ?? null).toEqual(
          mine.length === 0 ? null : { changes: Object.fromEntries(mine), baseVersion: 7 },
        );
      }),
      { numRuns: 300 },
    );
  });
});
