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

const all = (edit: Edit, side: Side) =>
  Object.fromEntries(fieldChoices(edit, current).map(({ field }) => [field, side]));

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
      ...{ changes: { deliveryLocation: there }, baseVersion: 7 },
    });
  });

  it('preselects theirs for fields others changed and mine for the rest', () => {
    const edit = anEdit({ description: 'Mine', pickupAddress: '1 Zoo Road' }, ['description']);
    const choices = fieldChoices(edit, current);
    expect(choices).toEqual([
      {
        field: 'description',
        mine: 'Mine',
        theirs: 'Two bolts of indigo cloth',
        isContested: true,
      },
      {
        field: 'pickupAddress',
        mine: '1 Zoo Road',
        theirs: '12 Kofar Mata Road, Kano',
        isContested: false,
      },
    ]);
    expect(choices.map((choice) => sideOf(choice, {}))).toEqual(['theirs', 'mine']);
  });

  it('treats every field as contested if the server names none', () => {
    const choices = fieldChoices(anEdit({ description: 'Mine', notes: 'x' }), current);
    expect(choices.map(({ isContested }) => isContested)).toEqual([true, true]);
  });

  it("excludes a field whose value equals the server's", () => {
    expect(fieldChoices(anEdit({ notes: 'Fragile', priceOffer: 1500.1 }), current)).toEqual([]);
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

  it("loses no field: each is offered or equals the server's", () => {
    fc.assert(
      fc.property(anyEdit, ({ changes, edit }) => {
        const offered = fieldChoices(edit, current).map(({ field }) => field);
        for (const [field, mine] of Object.entries(changes)) {
          expect(offered.includes(field)).toBe(wire.get(field) !== mine);
        }
      }),
    );
  });

  it('sends nothing if all is theirs', () => {
    fc.assert(
      fc.property(anyEdit, ({ edit }) => {
        expect(chosenEdit(edit, current, all(edit, 'theirs'))).toBeNull();
      }),
    );
  });

  it('sends exactly the conflicting and the other edited fields if all is mine', () => {
    fc.assert(
      fc.property(anyEdit, ({ changes, edit }) => {
        const expected = Object.entries(changes).filter(([name, mine]) => wire.get(name) !== mine);
        const sent = chosenEdit(edit, current, all(edit, 'mine'));
        expect(sent?.args ?? { changes: {}, baseVersion: 7 }).toEqual({
          changes: Object.fromEntries(expected),
          baseVersion: 7,
        });
      }),
    );
  });

  it('sends the fields resolved as mine, by choice or default, and no others', () => {
    fc.assert(
      fc.property(anyEdit, anySides, ({ contested, edit }, sides) => {
        const choices = fieldChoices(edit, current);
        const sent = chosenEdit(edit, current, sides);
        const changes = sent?.name === 'editPackage' ? sent.args.changes : {};
        for (const { field } of choices) {
          const isContested = contested.length === 0 || contested.includes(field);
          const chosen = sides[field] ?? (isContested ? 'theirs' : 'mine');
          expect(Object.hasOwn(changes, field)).toBe(chosen === 'mine');
        }
        expect(Object.keys(changes).every((name) => choices.some((c) => c.field === name))).toBe(
          true,
        );
      }),
    );
  });
});
