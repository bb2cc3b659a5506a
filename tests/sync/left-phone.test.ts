/**
 * A phone as an app leaves it: both databases, with operations in each state. `phone-1.json` is of
 * version 1.0.0, with user database version 18 and device database version 1. Never edit it: whatever
 * follows opens this phone and sends what is queued on it.
 */
import { expect, it } from 'vitest';
import { DeviceDatabase, readDueWipes, readSession } from '#db/device-database.ts';
import { readQuarantine } from '#db/queries.ts';
import { UserDatabase } from '#db/user-database.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { ids } from '#tests/builders/package.ts';
import { FakeServer } from '#tests/fakes/fake-server.ts';
import {
  closeDevices,
  device,
  me,
  newDevice,
  packageId,
  request,
  settled,
  states,
} from './device.ts';
import left from './fixtures/phone-1.json' with { type: 'json' };
import { readPackageViews } from './views.ts';

closeDevices();

function restore(name: string, { version, stores }: typeof left.user | typeof left.device) {
  return new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const { name: storeName, keyPath, autoIncrement, indexes, rows } of stores) {
        const store = request.result.createObjectStore(storeName, { keyPath, autoIncrement });
        for (const { name: indexName, keyPath: path, unique, multiEntry } of indexes) {
          store.createIndex(indexName, path, { unique, multiEntry });
        }
        for (const row of rows) store.put(row);
      }
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
}

const rowsOf = <Row>(name: string): Row[] =>
  (left.user.stores.find((store) => store.name === name)?.rows ?? []) as unknown as Row[];

/** The server has the contents of the phone's mirror. */
function theirServer(): FakeServer {
  const server = new FakeServer(me.id);
  const roles: User['roles'] = ['Employee', 'Admin'];
  for (const row of rowsOf<Package>('packages')) server.packages.set(row.id, row);
  for (const row of rowsOf<User>('users')) server.users.set(row.id, { ...row, roles });
  return server;
}

const queued = rowsOf<{ id: string; name: string; state: string; targetId: string }>('outbox');

async function opened() {
  const server = theirServer();
  newDevice(server);
  const tab = device.openTab();
  await restore(tab.db.name, left.user);
  return { server, tab };
}

it('shows what was queued and sends each operation once, under its own key', async () => {
  const { server, tab } = await opened();
  const views = await readPackageViews(tab.db, me);
  expect(views.find(({ id }) => id === packageId(1))).toMatchObject({ status: 'delivered' });
  const byAdmin = await readPackageViews(tab.db, { ...me, roles: ['Admin'] });
  expect(byAdmin.find(({ id }) => id === packageId(6))).toBeUndefined();
  expect(byAdmin.find(({ id }) => id === packageId(11))).toMatchObject({ notes: 'Ring twice' });
  await request(tab, 'start');
  // The server asked for two minutes, and repeats that.
  expect((await states(tab)).filter((state) => state.includes('waiting'))).toEqual([
    'editPackage waiting http',
    'deliverPackage waiting http',
  ]);
  await request(tab, 'retry');
  const waiting = queued.filter(({ state }) => state === 'waiting');
  const keys = server.calls.flatMap(({ key }) => (key === '' ? [] : [key]));
  expect(keys.sort()).toEqual(waiting.map(({ id }) => id).sort());
  expect(server.effects).toHaveLength(waiting.length);
  const courier = { id: me.id, phoneNumber: '+2348031234567' };
  expect(server.packages.get(packageId(1))).toMatchObject({ status: 'delivered', courier });
  expect(server.packages.get(packageId(4))).toMatchObject({ status: 'pending' });
  expect(server.packages.get(packageId(11))).toMatchObject({ notes: 'Ring twice' });
  expect(server.users.get(me.id)).toMatchObject({ address: '4 Sani Abacha Way' });
  const mirrored = await tab.db.packages.toArray();
  expect(mirrored).toEqual([...server.packages.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
});

it('still shows refused, conflicting and quarantined operations for a decision', async () => {
  const { server, tab } = await opened();
  await request(tab, 'retry');
  expect(await states(tab)).toEqual([
    'acceptPackage attention already_assigned',
    'editPackage attention conflict',
    'editPackage attention depends_on_refused',
  ]);
  const [aside] = await readQuarantine(tab.db);
  expect(aside?.row).toMatchObject({ schemaVersion: 99, targetId: packageId(8) });
  const conflict = queued.find(({ targetId }) => targetId === packageId(2));
  await tab.engine.retry(conflict?.id ?? '');
  await settled();
  expect(server.packages.get(packageId(2))).toMatchObject({ notes: 'Mine', description: 'Mine' });
});

it('opens in the next version, with its stores, and loses nothing', async () => {
  const { tab } = await opened();
  const next = new UserDatabase(tab.db.userId);
  next.version(next.verno + 1).stores({ rides: 'id' });
  expect(await next.outbox.toArray()).toEqual(queued);
  expect(await next.packages.count()).toBe(rowsOf('packages').length);
  expect(await next.quarantine.count()).toBe(1);
  expect(await next.table('rides').count()).toBe(0);
  next.close();
});

it('opens with stores and indexes that no longer exist', async () => {
  newDevice(theirServer());
  const tab = device.openTab();
  const ownSteps = { name: 'ownSteps', keyPath: 'lane', autoIncrement: false };
  const lane = { name: '[lane+args.baseVersion]', keyPath: ['lane', 'args.baseVersion'] };
  const index = { ...lane, unique: false, multiEntry: false };
  const stores = left.user.stores.map((store) =>
    store.name === 'outbox' ? { ...store, indexes: [...store.indexes, index] } : store,
  );
  const old = { version: 20, stores: [...stores, { ...ownSteps, indexes: [], rows: [] }] };
  await restore(tab.db.name, old as unknown as typeof left.user);
  expect(await tab.db.outbox.toArray()).toEqual(queued);
  const found = tab.db.backendDB();
  expect([...found.objectStoreNames]).not.toContain('ownSteps');
  const outbox = found.transaction('outbox').objectStore('outbox');
  expect([...outbox.indexNames]).toEqual(['id', 'lane']);
});

it('keeps the session and the pending wipes of mirrors', async () => {
  await opened();
  await restore('left-phone', left.device);
  const phone = new DeviceDatabase('left-phone');
  expect(await readSession(phone)).toMatchObject({ userId: me.id, isTrusted: true });
  expect(await readDueWipes(phone)).toEqual([ids.sender]);
  phone.close();
});
