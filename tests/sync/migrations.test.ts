/** Operations stored by another version of the app. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { recordEventSchema } from '#contract/event.ts';
import { patchPackageSchema } from '#contract/package.ts';
import { UserDatabase } from '#db/user-database.ts';
import { isCall, type Operation, operations, requestOf } from '#domain/operation.ts';
import {
  type OperationStep,
  operationSteps,
  readableOperations,
  upgradeOperation,
} from '#domain/operation-migrations.ts';
import { operationNames, operationSchemaVersion } from '#domain/operation-names.ts';
import { inputShape, type JsonSchema } from '#server/modules/openapi/json-schema.ts';
import { patchBodyOf } from '#sync/operations.ts';
import { exampleIntent } from '#tests/builders/operations.ts';
import { allowedBy } from '#tests/contract/json-schema-values.ts';
import { document } from '#tests/contract/open-api.ts';
import { create, edit } from './device.ts';

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

/** Invented: in version 1 `notes` is called `remark`, in version 2 it stands outside `changes`. */
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

  it.each(operationNames)('%s is readable', (name) => {
    expect(upgradeOperation(stored(exampleIntent(name)))).toHaveProperty('operation');
  });

  // Where something is required; a button may have no arguments.
  const needy = operationNames.filter((name) => !v.is(operations[name].args, {}));
  it.each(needy)('%s without its arguments is left out of the overlay', (name) => {
    const found = stored({ ...exampleIntent(name), args: {} }) as unknown as Operation;
    expect(readableOperations([found])).toEqual([]);
  });

  it.each([
    stored({ args: { changes: { recipientPhone: '+2341234567' } } }),
    stored({ name: 'editProfile', args: { changes: { phoneNumber: '+99912345678' } } }),
  ])('with a number that no country has any more is sent as it is', (row) => {
    expect(upgradeOperation(row)).toEqual({ operation: row });
  });

  const buttons = operationNames.filter((name) => operations[name].input === 'button');
  it.each(buttons)('%s is read and sent from a phone whose clock is at 1970', (name) => {
    const at = '1970-01-01T00:00:00.000Z';
    const args = JSON.parse(
      JSON.stringify(exampleIntent(name).args).replace(/\d{4}-\d\d-\d\dT[^"]*/g, at),
    );
    const row = stored({ ...exampleIntent(name), args, createdAt: at });
    expect(upgradeOperation(row)).toHaveProperty('operation');
    const operation = row as unknown as Operation;
    if (isCall(operation)) return;
    const request = requestOf(operation);
    if (request.via === 'patch') {
      expect(v.is(patchPackageSchema, patchBodyOf(request.patch))).toBe(true);
    }
    if (request.via === 'event') {
      const body = { ...request.event, _id: row.id, occurredAt: at };
      expect(v.is(recordEventSchema, body)).toBe(true);
    }
  });

  it.each(operationNames)('%s concerns fields only if it may be based on a version', (name) => {
    const { args, concerns } = operations[name];
    const example = exampleIntent(name).args;
    const isBased = v.is(args, { ...example, baseVersion: 1 });
    expect((concerns as (given: unknown) => readonly string[])(example).length > 0).toBe(isBased);
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
    ['an invalid price', stored({ args: { changes: { priceOffer: 'much' } } })],
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

  it('cover the stores', () => {
    const db = new UserDatabase('stores');
    const stores = db.tables.map(({ name, schema }) =>
      [name, schema.primKey.src, ...schema.indexes.map(({ src }) => src)].join(' '),
    );
    const storesVersion = db.verno - operationSchemaVersion - operationNames.length;
    // A difference here means: raise `storesVersion`.
    expect({ storesVersion, stores }).toMatchInlineSnapshot(`
      {
        "stores": [
          "packages id createdAt",
          "events packageId",
          "users id",
          "outbox ++seq &id lane",
          "quarantine seq",
          "proofs id packageId createdAt",
          "lists list",
          "seen [list+page]",
          "lease key",
          "meta key",
        ],
        "storesVersion": 1,
      }
    `);
  });
});

type Shapes = Record<string, JsonSchema>;

/** The key of a sentence; a property of this name has a schema. */
const isSentence = (key: string, value: unknown) =>
  (key === 'description' && typeof value === 'string') || key === 'examples';

/** The shape of each operation's arguments, without sentences. */
const shapes: Shapes = Object.fromEntries(
  Object.entries(operations).map(([name, { args }]) => {
    const text = JSON.stringify(inputShape(args), (key, value) =>
      isSentence(key, value) ? undefined : value,
    );
    return [name, JSON.parse(text)];
  }),
);

const folder = 'tests/sync/fixtures';
const fileOf = (version: number) => `operations-${version}.json`;
const shapesOf = (version: number): Shapes =>
  JSON.parse(readFileSync(path.join(folder, fileOf(version)), 'utf8'));

it.each(operationNames)('%s is of a form only if it contains what somebody typed', (name) => {
  const isTyped = JSON.stringify(shapes[name]).includes('maxLength');
  expect(operations[name].input === 'form' && !isTyped).toBe(false);
});

describe('the stored shapes', () => {
  const versions = readdirSync(folder).flatMap((file) => {
    const [, version] = /^operations-(\d+)\.json$/.exec(file) ?? [];
    return version === undefined ? [] : [Number(version)];
  });

  it('of this version never change; names are added', async () => {
    const kept = versions.includes(operationSchemaVersion) ? shapesOf(operationSchemaVersion) : {};
    const sameNames = Object.fromEntries(Object.keys(kept).map((name) => [name, shapes[name]]));
    // A difference here means: raise `operationSchemaVersion` and add a step. Otherwise an update,
    // or a tab that has not had it yet, quarantines what the other has queued.
    expect(sameNames).toEqual(kept);
    // `-u` adds a name; it cannot replace a shape.
    const text = `${JSON.stringify({ ...shapes, ...kept }, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`./fixtures/${fileOf(operationSchemaVersion)}`);
  });

  it.each(versions)('of version %i are upgraded to the current ones', (version) => {
    for (const [name, shape] of Object.entries(shapesOf(version))) {
      fc.assert(
        fc.property(allowedBy(shape, document), (args) => {
          const row = stored({ name, schemaVersion: version, args });
          expect(upgradeOperation(row)).toHaveProperty('operation');
        }),
        { numRuns: 50 },
      );
    }
  });
});
