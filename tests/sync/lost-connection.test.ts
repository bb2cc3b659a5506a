/** Database connections that are lost or never open. */

import { Dexie } from 'dexie';
import { indexedDB as fakeIndexedDB, forceCloseDatabase, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import { NotSavedError } from '#db/failure.ts';
import { openLimitMs } from '#db/resilient-database.ts';
import { UserDatabase } from '#db/user-database.ts';
import { createFakeClock } from '#tests/fakes/fake-clock.ts';
import { accept, edit, until } from './device.ts';
import { aPhone, closeAfterEach, closing, newName } from './storage-stage.ts';

closeAfterEach();

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
    const broken = new Proxy(fakeIndexedDB, {
      get: (target, key) => {
        if (key !== 'open' || !isBroken) return Reflect.get(target, key).bind(target);
        return () => {
          refusals += 1;
          throw new DOMException('', 'UnknownError');
        };
      },
    });
    const db = new UserDatabase(newName(), {
      ...{ indexedDB: broken, IDBKeyRange, clock },
    });
    closing.push(() => db.close());
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
    const silent = new Proxy(fakeIndexedDB, {
      get: (target, key) => {
        if (key !== 'open') return Reflect.get(target, key).bind(target);
        return (name: string, version: number) => {
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
            real = Object.assign(target.open(name, version), handlers);
          };
          return request;
        };
      },
    });
    const db = new UserDatabase(newName(), {
      ...{ indexedDB: silent, IDBKeyRange, clock },
    });
    closing.push(() => db.close());
    const counting = db.outbox.count();
    expect(db.storage.fault()).toBeNull();
    await until(() => clock.pending().includes(openLimitMs));
    clock.advance(openLimitMs);
    expect(db.storage.fault()).toBe('lost');
    opening.answer();
    await until(() => db.storage.fault() === null);
    expect(await counting).toBe(0);
  });
});
