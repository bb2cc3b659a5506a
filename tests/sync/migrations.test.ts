/** Operations stored by another version of the app. */
import { createHash } from 'node:crypto';
import { toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { UserDatabase } from '#db/user-database.ts';
import { type Operation, operations } from '#domain/operation.ts';
import {
  type OperationStep,
  operationSteps,
  readableOperations,
  upgradeOperation,
} from '#domain/operation-migrations.ts';
import { operationNames, operationSchemaVersion } from '#domain/operation-names.ts';
import { accept, create, deliver, edit, editProfile } from './device.ts';

function stored(changes: object = {}): Record<string, unknown> {
  return {
    ...edit({ notes: 'Ring twice' }, { baseVersion: 3 }),
    id: '0b8f4b57-6f0b-4c58-9a4e-000000000001',
    seq: 7,
    schemaVersion: operationSchemaVersion,
    state: 'waiting',
    createdAt: '2026-11-20T08:00:00.000Z',
    tries: 2,
    lastError: null,
    lane: 'package:x',
    ...changes,
  };
}

/** Two versions ago `notes` was called `remark`; one version ago it was outside `changes`. */
const steps: ReadonlyMap<number, OperationStep> = new Map<number, OperationStep>([
  [1, ({ args, ...row }) => ({ ...row, args: { notes: (args as { remark: string }).remark } })],
  [2, ({ args, ...row }) => ({ ...row, args: { changes: args } })],
]);

describe('a stored operation', () => {
  it('of this version is returned unchanged, so that a resend is identical', () => {
    const row = stored({ ofAnotherRoom: true });
    const upgraded = upgradeOperation(row);
    expect('operation' in upgraded && upgraded.operation).toBe(row);
  });

  const withArguments = [
    accept(),
    create(1),
    edit({ notes: null }),
    editProfile({ firstName: 'A' }),
  ];
  it.each(operationNames)('%s is readable', (name) => {
    const intent = withArguments.find((each) => each.name === name) ?? { ...deliver(), name };
    expect(upgradeOperation(stored(intent))).toHaveProperty('operation');
  });

  it('of an older version is migrated step by step', () => {
    const old = stored({ schemaVersion: 1, args: { remark: 'Ring twice' } });
    expect(upgradeOperation(old, { steps, version: 3 })).toEqual({
      operation: stored({ schemaVersion: 3, args: { changes: { notes: 'Ring twice' } } }),
    });
    const middle = stored({ schemaVersion: 2, args: { notes: 'Ring twice' } });
    expect(upgradeOperation(middle, { steps, version: 3 })).toEqual({
      operation: stored({ schemaVersion: 3, args: { changes: { notes: 'Ring twice' } } }),
    });
    expect(old.args).toEqual({ remark: 'Ring twice' });
  });

  it('whose step throws, is missing or yields an invalid shape is unreadable', () => {
    const migration = { steps, version: 3 };
    expect(upgradeOperation(stored({ schemaVersion: 1, args: null }), migration)).toEqual({
      unreadable: 'damaged',
    });
    expect(upgradeOperation(stored({ schemaVersion: 0 }), migration)).toEqual({
      unreadable: 'damaged',
    });
    const nonsense = stored({ schemaVersion: 2, args: { notes: 5 } });
    expect(upgradeOperation(nonsense, migration)).toEqual({ unreadable: 'damaged' });
  });

  it('of a newer version is unreadable', () => {
    const newer = stored({ schemaVersion: operationSchemaVersion + 1 });
    expect(upgradeOperation(newer)).toEqual({ unreadable: 'newer' });
  });

  it.each([
    ['nothing', undefined],
    ['text', 'acceptPackage'],
    ['no record', []],
    ['no version', stored({ schemaVersion: undefined })],
    ['a version that is not a number', stored({ schemaVersion: '1' })],
    ['an unknown name', stored({ name: 'teleportPackage' })],
    ['a name that every object has', stored({ name: 'constructor' })],
    ['no id', stored({ id: '' })],
    ['no target', stored({ targetId: undefined })],
    ['an unknown state', stored({ state: 'sending' })],
    ['damaged arguments', stored({ args: { changes: { priceOffer: 'much' } } })],
    ['no arguments', stored({ args: undefined })],
    ['a damaged error', stored({ lastError: 'no' })],
    ['negative tries', stored({ tries: -1 })],
  ])('with damage is unreadable: %s', (_, found) => {
    expect(upgradeOperation(found)).toEqual({ unreadable: 'damaged' });
  });

  it.each([
    ['nothing to edit with', stored({ args: null })],
    ['a newer version', stored({ schemaVersion: 99 })],
    ['an unknown name', stored({ name: 'teleportPackage' })],
    ['no changes', stored({ args: {} })],
    ['an invalid price', stored({ args: { changes: { priceOffer: 'much' } } })],
    ['a new package without a price', stored({ ...create(1), args: {} })],
    ['an accept without a courier', stored({ ...accept(), args: {} })],
    ['an invalid time', stored({ createdAt: 'soon' })],
    ['an unknown state', stored({ state: 'sending' })],
    ['a damaged error', stored({ lastError: 'no' })],
    ['no target', stored({ targetId: 5 })],
  ])('with %s is left out of the overlay', (_, found) => {
    const rows = [stored(), found, stored(create(2))] as unknown as Operation[];
    expect(readableOperations(rows)).toEqual([rows[0], rows[2]]);
  });
});

describe('the schema versions', () => {
  it('have a step from each to the next', () => {
    for (let version = 1; version < operationSchemaVersion; version += 1) {
      expect(operationSteps.has(version), `from ${version}`).toBe(true);
    }
    expect(operationSteps.size).toBe(operationSchemaVersion - 1);
  });

  it('count every change of the stored shape', () => {
    // A difference here means: raise operationSchemaVersion and add a step, or the update
    // quarantines what phones have queued. Not so if stored operations stay readable: a renamed
    // symbol, a new optional field. New stores or indexes: raise `storesVersion`.
    const fingerprints = Object.entries(operations).map(([name, { args }]) => {
      const shape = JSON.stringify(toJsonSchema(args, { errorMode: 'ignore' }));
      return `${name} ${createHash('sha256').update(shape).digest('hex').slice(0, 12)}`;
    });
    const db = new UserDatabase('fingerprint');
    const stores = db.tables.map(({ name, schema }) =>
      [name, schema.primKey.src, ...schema.indexes.map(({ src }) => src)].join(' '),
    );
    const found = { databaseVersion: db.verno, stores, operationSchemaVersion, fingerprints };
    expect(found).toMatchInlineSnapshot(`
      {
        "databaseVersion": 11,
        "fingerprints": [
          "createPackage fd323a4e9c72",
          "editPackage 5777f9438d7f",
          "acceptPackage c141357ebe7b",
          "rejectDelivery 4378d3358765",
          "deliverPackage 67bb4b158e22",
          "deletePackage 4378d3358765",
          "editProfile 805887859ee8",
        ],
        "operationSchemaVersion": 3,
        "stores": [
          "packages id createdAt",
          "users id",
          "outbox ++seq &id lane",
          "quarantine seq",
          "lists list",
          "seen [list+page]",
          "lease key",
          "meta key",
        ],
      }
    `);
  });
});
