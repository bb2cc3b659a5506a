/** An app downgraded below the version of its stored data continues or says what to do. */
import { indexedDB as fakeIndexedDB } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import { accept, packageId, until } from './device.ts';
import { aPhone, closeAfterEach, closing, newName } from './storage-stage.ts';

closeAfterEach();

const newerVersion = 900;

/** The database as left by a newer version of the app; `upgrade` creates its tables. */
function leaveBehind(
  name: string,
  upgrade: (db: IDBDatabase) => void,
  rows: [table: string, row: unknown][],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = fakeIndexedDB.open(`kaya-user-${name}`, newerVersion);
    opening.onupgradeneeded = () => upgrade(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      const tables = [...new Set(rows.map(([table]) => table))];
      const transaction = db.transaction(tables, 'readwrite');
      for (const [table, row] of rows) transaction.objectStore(table).add(row);
      transaction.onabort = () => reject(transaction.error);
      transaction.oncomplete = () => {
        db.close();
        resolve();
      };
    };
  });
}

function ownTables(db: IDBDatabase, outboxKey: string, isAutomatic: boolean) {
  for (const [table, keyPath] of [
    ...[
      ['packages', 'id'],
      ['users', 'id'],
      ['ownSteps', 'lane'],
      ['meta', 'key'],
    ],
    ...[
      ['quarantine', 'seq'],
      ['lists', 'list'],
      ['lease', 'key'],
    ],
  ] as const) {
    db.createObjectStore(table, { keyPath });
  }
  db.createObjectStore('seen', { keyPath: ['list', 'page'] });
  const outbox = db.createObjectStore('outbox', { keyPath: outboxKey, autoIncrement: isAutomatic });
  outbox.createIndex('lane', 'lane');
  return outbox;
}

const queued = (number: number, schemaVersion: number, more: object = {}) => ({
  ...accept(number),
  id: `0b8f4b57-6f0b-4c58-9a4e-00000000000${number}`,
  lane: `package:${packageId(number)}`,
  schemaVersion,
  state: 'waiting',
  createdAt: '2026-11-20T08:00:00.000Z',
  tries: 0,
  lastError: null,
  backoff: null,
  ...more,
});

function lookInto(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = fakeIndexedDB.open(`kaya-user-${name}`);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      closing.push(() => opening.result.close());
      resolve(opening.result);
    };
  });
}

async function rowsLeft(name: string): Promise<unknown[]> {
  const reading = (await lookInto(name)).transaction('outbox').objectStore('outbox').getAll();
  return new Promise((resolve, reject) => {
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => reject(reading.error);
  });
}

describe('a downgraded app', () => {
  it('sends what it can read, shows what it cannot, and loses nothing', async () => {
    const name = newName();
    await leaveBehind(
      name,
      (db) => {
        const outbox = ownTables(db, 'seq', true);
        outbox.createIndex('id', 'id', { unique: true });
        outbox.createIndex('urgency', 'urgency');
        db.createObjectStore('photos', { keyPath: 'id' });
      },
      [
        ['outbox', queued(1, operationSchemaVersion)],
        ['outbox', queued(2, operationSchemaVersion + 1, { urgency: 3 })],
        ['photos', { id: 'a', of: 'a parcel' }],
      ],
    );
    const { db, server, engine } = aPhone(name);
    engine.request('start');
    await until(() => server.effects.length === 1);
    await until(async () => (await db.outbox.count()) === 0);
    expect(db.storage.fault()).toBeNull();
    const [kept] = await db.quarantine.toArray();
    expect(kept?.row).toMatchObject(queued(2, operationSchemaVersion + 1, { urgency: 3 }));
    expect(server.effects).toHaveLength(1);
    // Data only the newer version knows is kept for it.
    await engine.stop();
    db.close();
    expect([...(await lookInto(name)).objectStoreNames]).toContain('photos');
  });

  it('asks for the newer version if it cannot read the database, and keeps the queue', async () => {
    const name = newName();
    const row = queued(1, operationSchemaVersion + 1);
    await leaveBehind(name, (db) => ownTables(db, 'id', false), [['outbox', row]]);
    const { db, server, engine } = aPhone(name);
    engine.request('start');
    await until(() => db.storage.fault() === 'newer');
    await engine.stop();
    db.close();
    expect(server.effects).toEqual([]);
    expect(await rowsLeft(name)).toEqual([row]);
  });
});
