/** Storage that is full, stalled, lost, blocked by another version or left by a newer one. */
import { Dexie } from 'dexie';
import { indexedDB as fakeIndexedDB, forceCloseDatabase, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, describe, expect, it } from 'vitest';
import { openLimitMs } from '#db/resilient-database.ts';
import { NotSavedError, storageFaultOf } from '#db/storage-fault.ts';
import { abortLimitMs, stillLimitMs } from '#db/transaction-watch.ts';
import { UserDatabase } from '#db/user-database.ts';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import { createFakeClock } from '#tests/fakes/browser.ts';
import { failStorage } from '#tests/fakes/failing-storage.ts';
import { accept, aServer, closeDevices, edit, newDevice, packageId, until } from './device.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});
closeDevices();

let names = 0;
const newName = () => {
  names += 1;
  return `storage-${names}`;
};

/** `makeRoom`: frees what the phone can do without when it is full. */
function aPhone(name = newName(), makeRoom?: () => Promise<boolean>) {
  const server = aServer(3);
  const { clock, openTab } = newDevice(server, makeRoom && { makeRoom });
  const db = new UserDatabase(name, { clock });
  return { ...openTab(db), name, server, clock, storage: failStorage(db) };
}

/** What is stored for this name, as another version of the app sees it. */
function connect(name: string, version?: number, upgrade = (_: IDBDatabase) => {}) {
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

function addRow(db: IDBDatabase, table: string, row: unknown) {
  return new Promise<void>((resolve, reject) => {
    const trans = db.transaction(table, 'readwrite');
    trans.objectStore(table).add(row);
    trans.oncomplete = () => resolve();
    trans.onabort = () => reject(trans.error);
  });
}

const keys = { packages: 'id', users: 'id', meta: 'key', quarantine: 'seq', lists: 'list' };

function createTables(db: IDBDatabase, outboxKey = 'seq') {
  for (const [table, keyPath] of Object.entries(keys)) db.createObjectStore(table, { keyPath });
  const outbox = db.createObjectStore('outbox', {
    keyPath: outboxKey,
    autoIncrement: outboxKey === 'seq',
  });
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
  tries: 2,
  lastError: null,
  backoff: null,
  ...more,
});

describe('a new version of the app', () => {
  it('24: waits for an old tab that holds the database, says so, and continues with the queue', async () => {
    const name = newName();
    const old = await connect(name, 10, createTables);
    await addRow(old, 'outbox', queued(1, 1));
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

  it('25: acknowledges without the row that does not fit, once, and pulls it later', async () => {
    const { db, storage, engine, server, clock, faults } = aPhone();
    engine.request('start');
    await until(async () => (await db.packages.count()) === 3);
    storage.failNext('packages', 'full');
    await engine.enqueue(accept());
    await until(async () => (await db.outbox.count()) === 0);
    await until(async () => {
      clock.advance(1_000);
      return (await db.packages.get(packageId(1)))?.status === 'in-transit';
    });
    expect(server.effects).toHaveLength(1);
    expect(faults).toEqual([]);
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
      indexedDB: fakeIndexedDB,
      IDBKeyRange,
      isInMemory: true,
    });
    closing.push(() => db.close());
    await db.open();
    expect(db.storage.fault()).toBe('none');
  });
});

/** A database whose IndexedDB opens by `open`. */
function openedBy(clock: ReturnType<typeof createFakeClock>, open: (...call: [string]) => unknown) {
  const indexedDB = new Proxy(fakeIndexedDB, {
    get: (target, key) => (key === 'open' ? open : Reflect.get(target, key).bind(target)),
  });
  const db = new UserDatabase(newName(), { indexedDB, IDBKeyRange, clock });
  closing.push(() => db.close());
  return db;
}

describe('a lost connection', () => {
  it('26: is reopened, and the engine continues', async () => {
    const { db, server, engine, clock } = aPhone();
    engine.request('start');
    await until(async () => (await db.packages.count()) === 3);
    server.isReachable = false;
    await engine.enqueue(accept());
    const shown: (string | null)[] = [];
    db.storage.subscribe(() => shown.push(db.storage.fault()));
    forceCloseDatabase(db.backendDB() as never);
    await until(() => shown.length > 0);
    clock.advance(0);
    await until(() => db.isOpen() && db.storage.fault() === null);
    expect(shown).toEqual(['lost', null]);
    server.isReachable = true;
    engine.request('visible');
    await until(() => server.effects.length === 1);
  });

  it('26: makes every live query read again, including failed ones', async () => {
    const { db, clock } = aPhone();
    await db.open();
    let reads = 0;
    const query = Dexie.liveQuery(() => {
      reads += 1;
      return db.packages.count();
    }).subscribe(() => {});
    closing.push(() => query.unsubscribe());
    await until(() => reads === 1);
    forceCloseDatabase(db.backendDB() as never);
    await until(() => db.storage.fault() === 'lost');
    clock.advance(0);
    await until(() => reads === 2);
  });

  it('26: reported by a request behaves the same: committed writes exist, others do not', async () => {
    const { db, storage, engine, clock } = aPhone();
    await db.open();
    storage.failNext('outbox', 'lost');
    const saving = engine.enqueue(accept()).catch((error) => error);
    await until(() => db.storage.fault() === 'lost');
    clock.advance(0);
    const refused = await saving;
    expect(refused).toBeInstanceOf(NotSavedError);
    expect(refused.fault).toBe('lost');
    await until(() => db.storage.fault() === null);
    expect(await db.outbox.count()).toBe(0);
    await engine.enqueue(edit({ notes: 'again' }));
    expect(await db.outbox.count()).toBe(1);
  });

  it('26: is retried with growing delays, indefinitely', async () => {
    const clock = createFakeClock();
    let refusals = 0;
    let isBroken = true;
    const db = openedBy(clock, (...call) => {
      if (!isBroken) return fakeIndexedDB.open(...call);
      refusals += 1;
      throw new DOMException('', 'UnknownError');
    });
    await expect(db.open()).rejects.toThrow();
    const delays: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const before = refusals;
      const [delayMs = -1] = clock.pending();
      delays.push(delayMs);
      clock.advance(delayMs);
      await until(() => refusals > before && db.storage.fault() === 'lost');
      await until(() => clock.pending().length === 1);
    }
    expect(delays).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    isBroken = false;
    clock.advance(30_000);
    await until(() => db.storage.fault() === null && db.isOpen());
  });

  it('26: includes an open that never answers, until it does', async () => {
    const clock = createFakeClock();
    const opening = { answer: () => {} };
    const db = openedBy(clock, (...call) => {
      let real: IDBOpenDBRequest | null = null;
      const request = {
        get result() {
          return real?.result;
        },
        get transaction() {
          return real?.transaction;
        },
      };
      opening.answer = () => {
        const { result: _, transaction: __, ...handlers } = request;
        real = Object.assign(fakeIndexedDB.open(...call), handlers);
      };
      return request;
    });
    const counting = db.outbox.count();
    expect(db.storage.fault()).toBeNull();
    await until(() => clock.pending().includes(openLimitMs));
    clock.advance(openLimitMs);
    expect(db.storage.fault()).toBe('lost');
    opening.answer();
    await until(() => db.storage.fault() === null);
    expect(await counting).toBe(0);
  });

  it('that reports its loss after it was replaced leaves the new one open', async () => {
    const { db, storage, clock } = aPhone();
    await db.open();
    const old = db.backendDB();
    storage.failNext('meta', 'dead');
    const writing = db.meta.put({ key: 'lastPulledAt', value: '' }).catch(() => undefined);
    await until(() => clock.pending().includes(stillLimitMs));
    // Lost and reopened.
    db.close({ disableAutoOpen: false });
    clock.advance(0);
    await until(() => db.isOpen() && db.storage.fault() === null);
    const present = db.backendDB();
    expect(present).not.toBe(old);
    const shown: unknown[] = [];
    db.storage.subscribe(() => shown.push(db.storage.fault()));
    clock.advance(2 * stillLimitMs);
    clock.advance(abortLimitMs);
    expect(shown).toEqual([]);
    expect(db.backendDB()).toBe(present);
    storage.release();
    await writing;
  });
});

describe('a downgraded app', () => {
  const newer = 900;

  it('sends what it can read, shows what it cannot, and loses nothing', async () => {
    const name = newName();
    const left = await connect(name, newer, (db) => {
      const outbox = createTables(db);
      outbox.createIndex('id', 'id', { unique: true });
      outbox.createIndex('urgency', 'urgency');
      db.createObjectStore('photos', { keyPath: 'id' });
    });
    const unknown = queued(2, operationSchemaVersion + 1, { urgency: 3 });
    await addRow(left, 'outbox', queued(1, operationSchemaVersion));
    await addRow(left, 'outbox', unknown);
    left.close();
    const { db, server, engine } = aPhone(name);
    engine.request('start');
    await until(() => server.effects.length === 1);
    await until(async () => (await db.outbox.count()) === 0);
    expect(db.storage.fault()).toBeNull();
    const [kept] = await db.quarantine.toArray();
    expect(kept?.row).toMatchObject(unknown);
    expect(server.effects).toHaveLength(1);
    // Data only the newer version knows is kept for it.
    await engine.stop();
    db.close();
    expect([...(await connect(name)).objectStoreNames]).toContain('photos');
  });

  it('asks for the newer version if it cannot read the database, and keeps the queue', async () => {
    const name = newName();
    const row = queued(1, operationSchemaVersion + 1);
    const left = await connect(name, newer, (db) => void createTables(db, 'id'));
    await addRow(left, 'outbox', row);
    left.close();
    const { db, server, engine } = aPhone(name);
    engine.request('start');
    await until(() => db.storage.fault() === 'newer');
    await engine.stop();
    db.close();
    expect(server.effects).toEqual([]);
    const reading = (await connect(name)).transaction('outbox').objectStore('outbox').getAll();
    await until(() => reading.readyState === 'done');
    expect(reading.result).toEqual([row]);
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
