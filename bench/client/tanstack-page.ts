/**
 * @tanstack/offline-transactions doing the work of the product's engine. Its IndexedDB adapter has
 * no durability setting and resolves before the commit, so it gets a strict one that waits. It has
 * no persistent mirror, so its mutation function writes the server's rows to disk, which it cannot
 * do in the transaction that empties its outbox.
 */
import { createCollection } from '@tanstack/db';
import { type StorageAdapter, startOfflineExecutor } from '@tanstack/offline-transactions';
import type { WirePackage } from '#contract/package.ts';
import { type Measurements, packageId, quantile, wireRow } from './rows.ts';

const storeName = 'transactions';
const mirrorName = 'packages';

interface StrictStorage extends StorageAdapter {
  mirror(row: WirePackage): Promise<void>;
  close(): void;
}

async function openStrict(name: string): Promise<StrictStorage> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(storeName);
      request.result.createObjectStore(mirrorName, { keyPath: '_id' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const read = <T>(ask: (store: IDBObjectStore) => IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      const request = ask(db.transaction([storeName], 'readonly').objectStore(storeName));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const write = (change: (store: IDBObjectStore) => unknown, name = storeName) =>
    new Promise<void>((resolve, reject) => {
      const transaction = db.transaction([name], 'readwrite', { durability: 'strict' });
      change(transaction.objectStore(name));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  return {
    get: async (key) => (await read((store) => store.get(key))) ?? null,
    set: (key, value) => write((store) => store.put(value, key)),
    delete: (key) => write((store) => store.delete(key)),
    keys: async () => (await read((store) => store.getAllKeys())).map(String),
    clear: () => write((store) => store.clear()),
    mirror: (row) => write((store) => store.put(row), mirrorName),
    close: () => db.close(),
  };
}

async function opened(delayMs: number, packages: number) {
  const storage = await openStrict('peer');
  await storage.clear();
  let put = (_row: WirePackage) => {};
  const collection = createCollection<WirePackage>({
    id: 'packages',
    getKey: ({ _id }) => _id,
    startSync: true,
    sync: {
      sync: ({ begin, write, commit, markReady }) => {
        begin();
        for (let number = 1; number <= packages; number += 1) {
          write({ type: 'insert', value: wireRow(number) });
        }
        commit();
        markReady();
        put = (value) => {
          begin();
          write({ type: 'update', value });
          commit();
        };
      },
    },
  });
  await collection.preload();
  let isOnline = false;
  const listeners = new Set<() => void>();
  const notifyOnline = () => {
    for (const listener of listeners) listener();
  };
  let sent = 0;
  const executor = startOfflineExecutor({
    collections: { packages: collection },
    storage,
    onlineDetector: {
      isOnline: () => isOnline,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      notifyOnline,
      dispose: () => listeners.clear(),
    },
    mutationFns: {
      edit: async ({ transaction, idempotencyKey }) => {
        for (const { key, changes } of transaction.mutations) {
          const id = key.slice(key.lastIndexOf('/') + 1);
          const answer = await fetch(`/after/${delayMs}/api/packages/${id}`, {
            method: 'PATCH',
            headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
            body: JSON.stringify(changes),
          });
          if (!answer.ok) throw new Error(`${answer.status}`);
          const row: WirePackage = await answer.json();
          await storage.mirror(row);
          put(row);
        }
        sent += 1;
      },
    },
  });
  await executor.waitForInit();
  return {
    storage,
    sent: () => sent,
    edit: (number: number, notes: string) =>
      executor.createOfflineTransaction({ mutationFnName: 'edit' }).mutate(() => {
        collection.update(packageId(number), (draft) => {
          draft.notes = notes;
        });
      }),
    goOnline: () => {
      isOnline = true;
      notifyOnline();
    },
    close: () => {
      executor.dispose();
      storage.close();
    },
  };
}

type Peer = Awaited<ReturnType<typeof opened>>;

/** Resolves once so many are durable. */
async function stored({ storage }: Peer, count: number): Promise<void> {
  while ((await storage.keys()).length !== count);
}

async function enqueue({ count }: { count: number }) {
  const peer = await opened(0, 500);
  const took: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const begun = performance.now();
    peer.edit(1 + (index % 500), `Note ${index}`);
    await stored(peer, index + 1);
    took.push(performance.now() - begun);
  }
  peer.close();
  return { p50: quantile(took, 0.5), p95: quantile(took, 0.95) };
}

async function replay(options: { count: number; packages: number; delayMs: number }) {
  const { count, packages, delayMs } = options;
  const peer = await opened(delayMs, packages);
  for (let index = 0; index < count; index += 1) {
    peer.edit(1 + (index % packages), `Note ${index}`);
  }
  await stored(peer, count);
  const begun = performance.now();
  peer.goOnline();
  while (peer.sent() < count) await new Promise((resolve) => setTimeout(resolve, 1));
  await stored(peer, 0);
  const seconds = (performance.now() - begun) / 1000;
  peer.close();
  return count / seconds;
}

const measurements: Measurements = { enqueue, replay };
Object.assign(globalThis, { measurements });
