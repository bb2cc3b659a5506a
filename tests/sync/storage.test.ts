import { Dexie } from 'dexie';
import { indexedDB as fakeIndexedDB, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import { NotSavedError, storageFaultOf } from '#db/failure.ts';
import { abortLimitMs, stillLimitMs } from '#db/transaction-watch.ts';
import { UserDatabase } from '#db/user-database.ts';
import { accept, packageId, until } from './device.ts';
import { aPhone, closeAfterEach, closing, newName } from './storage-stage.ts';

closeAfterEach();

/** A connection to a user's database as another version of the app. */
function connect(name: string, version: number, upgrade = (_: IDBDatabase) => {}) {
  return new Promise<IDBDatabase>((resolve, reject) => {
    const opening = fakeIndexedDB.open(`kaya-user-${name}`, version);
    opening.onupgradeneeded = () => upgrade(opening.result);
    opening.onsuccess = () => {
      closing.push(() => opening.result.close());
      resolve(opening.result);
    };
    opening.onerror = () => reject(opening.error);
  });
}

/** The tables of version 1, as Dexie numbers it. */
function createVersion1(db: IDBDatabase) {
  const packages = db.createObjectStore('packages', { keyPath: 'id' });
  packages.createIndex('status', 'status');
  packages.createIndex('sender.id', 'sender.id');
  packages.createIndex('courier.id', 'courier.id');
  db.createObjectStore('users', { keyPath: 'id' });
  const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
  outbox.createIndex('id', 'id', { unique: true });
  outbox.createIndex('lane', 'lane');
  db.createObjectStore('ownSteps', { keyPath: 'lane' });
  db.createObjectStore('meta', { keyPath: 'key' });
}

function addRow(db: IDBDatabase, table: string, row: unknown) {
  return new Promise<void>((resolve, reject) => {
    const trans = db.transaction(table, 'readwrite');
    trans.objectStore(table).add(row);
    trans.oncomplete = () => resolve();
    trans.onabort = () => reject(trans.error);
  });
}

const queuedByVersion1 = {
  ...accept(),
  id: '0b8f4b57-6f0b-4c58-9a4e-000000000001',
  lane: `package:${packageId(1)}`,
  schemaVersion: 1,
  state: 'waiting',
  createdAt: '2026-11-20T08:00:00.000Z',
  tries: 2,
  lastError: null,
  backoff: null,
};

describe('a new version of the app', () => {
  it('24: waits for an old tab that holds the database, says so, and continues with the queue', async () => {
    const name = newName();
    const old = await connect(name, 10, createVersion1);
    await addRow(old, 'outbox', queuedByVersion1);
    const { db, server, engine } = aPhone(name);
    engine.request('start');
    await until(() => db.storage.fault() === 'blocked');
    expect(server.effects).toEqual([]);
    old.close();
    await until(() => server.effects.length === 1);
    expect(db.storage.fault()).toBeNull();
    await until(async () => (await db.outbox.count()) === 0);
    expect(server.effects).toHaveLength(1);
  });

  it('24: makes the old tab close its connection immediately and for good, and say so', async () => {
    const { name, db, engine } = aPhone();
    await db.open();
    let isTold = false;
    db.storage.subscribe(() => {
      isTold = true;
    });
    await connect(name, 9_999);
    expect(db.storage.fault()).toBe('outdated');
    expect(isTold).toBe(true);
    const refused = await engine.enqueue(accept()).catch((error) => error);
    expect(refused).toBeInstanceOf(NotSavedError);
    expect(db.isOpen()).toBe(false);
    expect(db.storage.fault()).toBe('outdated');
  });
});

describe('a full phone', () => {
  it.each([
    'full',
    'fullAtCommit',
    'abortAlone',
  ] as const)('25: saves nothing partially and gives the reason (%s)', async (fault) => {
    const { db, storage, engine, server } = aPhone();
    await db.open();
    storage.failNext('outbox', fault);
    const refused = await engine.enqueue(accept()).catch((error) => error);
    expect(refused).toBeInstanceOf(NotSavedError);
    expect(refused.fault).toBe('full');
    expect(db.storage.fault()).toBe('full');
    expect(await db.outbox.count()).toBe(0);
    expect(server.effects).toEqual([]);
    // There is room again.
    await engine.enqueue(accept());
    expect(db.storage.fault()).toBeNull();
    await until(() => server.effects.length === 1);
  });

  it("25: frees expendable data before it refuses to save a user's work", async () => {
    let tiles = 1;
    const { db, storage, engine } = aPhone(undefined, async () => {
      tiles -= 1;
      return tiles >= 0;
    });
    await db.open();
    storage.failNext('outbox', 'full');
    await engine.enqueue(accept());
    expect(await db.outbox.count()).toBe(1);
    expect(tiles).toBe(0);
    storage.failNext('outbox', 'full');
    const refused = await engine.enqueue(accept()).catch((error) => error);
    expect(refused.fault).toBe('full');
    expect(await db.outbox.count()).toBe(1);
  });

  it('25: reports a failed write of the engine and acknowledges later, once', async () => {
    const { db, storage, engine, server, clock, faults } = aPhone();
    engine.request('start');
    await until(async () => (await db.packages.count()) === 3);
    storage.failNext('packages', 'full');
    await engine.enqueue(accept());
    await until(() => faults.length === 1);
    expect(storageFaultOf(faults[0])).toBe('full');
    expect(await db.outbox.count()).toBe(1);
    await until(() => {
      clock.advance(1_000);
      return db.outbox.count().then((count) => count === 0);
    });
    expect(server.effects).toHaveLength(1);
    expect(db.storage.fault()).toBeNull();
  });
});

describe('a stalled write', () => {
  it('25: is aborted, and counts as not saved', async () => {
    const { db, storage, engine, clock } = aPhone();
    await db.open();
    storage.failNext('outbox', 'still');
    const saving = engine.enqueue(accept()).catch((error) => error);
    await until(() => clock.pending().includes(stillLimitMs));
    clock.advance(stillLimitMs);
    expect(await saving).toBeInstanceOf(NotSavedError);
    expect(await db.outbox.count()).toBe(0);
  });

  it.each([
    'dead',
    'deadAtCommit',
  ] as const)('25: counts as saved if it committed after all (%s)', async (fault) => {
    const { db, storage, engine, clock } = aPhone();
    await db.open();
    storage.failNext('outbox', fault);
    const saving = engine.enqueue(accept());
    await until(() => clock.pending().includes(stillLimitMs));
    clock.advance(2 * stillLimitMs);
    clock.advance(abortLimitMs);
    expect(db.storage.fault()).toBe('lost');
    storage.release();
    clock.advance(0);
    const saved = await saving;
    expect(await db.outbox.toArray()).toMatchObject([{ id: saved.id }]);
  });
});

describe('a browser without storage', () => {
  it('runs the same code in memory with a permanent notice', async () => {
    const db = new UserDatabase(newName(), {
      ...{ indexedDB: fakeIndexedDB, IDBKeyRange, isInMemory: true },
    });
    closing.push(() => db.close());
    await db.open();
    expect(db.storage.fault()).toBe('none');
  });
});

describe('classification of storage errors', () => {
  const named = (name: string) => new DOMException('', name);
  it.each([
    ['QuotaExceededError', named('QuotaExceededError'), 'full'],
    [
      'an abort for lack of space',
      new Dexie.AbortError('Aborted', named('QuotaExceededError')),
      'full',
    ],
    ['the same as a cause', new Error('', { cause: named('QuotaExceededError') }), 'full'],
    ['UnknownError', named('UnknownError'), 'lost'],
    ['a closed database', new Dexie.DatabaseClosedError(), 'lost'],
    [
      'an open that failed for lack of space',
      new Dexie.OpenFailedError('Not opened', named('QuotaExceededError')),
      'full',
    ],
    ['no IndexedDB', new Dexie.MissingAPIError(), 'none'],
    ['blocked cookies', named('SecurityError'), 'none'],
    ['an abort without a reason', new Dexie.AbortError(), null],
    ['an error of the product', new TypeError('quota exceeded'), null],
    ['no error', undefined, null],
  ])('%s', (_, error, fault) => {
    expect(storageFaultOf(error)).toBe(fault);
  });
});
