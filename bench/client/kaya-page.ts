/** Measurements of the product's engine. */

import { newId } from '#data/new-id.ts';
import { openPackageStore } from '#data/package-store.ts';
import { systemClock } from '#db/clock.ts';
import { UserDatabase } from '#db/user-database.ts';
import type { Intent } from '#domain/operation.ts';
import { operationSchemaVersion } from '#domain/operation-names.ts';
import type { Package } from '#domain/package.ts';
import { partyToWire } from '#domain/user.ts';
import type { SyncEngine } from '#sync/engine.ts';
import type { SyncApi } from '#sync/ports.ts';
import { putRows } from '#sync/pull/mirror.ts';
import {
  client,
  edit,
  me,
  nowhere,
  type Opened,
  onFreshDatabase,
  open,
  userInfo,
} from './product.ts';
import { type Measurements, nextTask, packageId, quantile, row, rows } from './rows.ts';

const intents: ((number: number) => Intent)[] = [
  (number) => edit(number, 'Gate 2'),
  (number) => ({
    name: 'acceptPackage',
    targetId: packageId(number),
    args: { courier: partyToWire(me) },
  }),
  (number) => ({ name: 'deliverPackage', targetId: packageId(number), args: {} }),
];

async function queue({ db, engine }: Opened, count: number, packages: number): Promise<void> {
  await putRows(db.packages, rows(packages));
  for (let index = 0; index < count; index += 1) {
    await engine.enqueue(edit(1 + (index % packages), `Note ${index}`));
  }
}

function atRest(engine: SyncEngine): Promise<void> {
  return new Promise((resolve) => {
    if (engine.status().phase === 'idle') return resolve();
    const stop = engine.subscribe((event) => {
      if (event.kind !== 'status' || event.status.phase !== 'idle') return;
      stop();
      resolve();
    });
  });
}

/** Offline, at a person's pace: the engine has finished the previous attempt. */
async function enqueue({ count }: { count: number }) {
  return onFreshDatabase(nowhere, async ({ db, engine }) => {
    await putRows(db.packages, rows(500));
    const took: number[] = [];
    for (let index = 0; index < count; index += 1) {
      await atRest(engine);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const begun = performance.now();
      await engine.enqueue(edit(1 + (index % 500), `Note ${index}`));
      took.push(performance.now() - begun);
    }
    return { p50: quantile(took, 0.5), p95: quantile(took, 0.95) };
  });
}

/** Queued operations on so many packages, until the server has all of them. */
async function replay(options: { count: number; packages: number; delayMs: number }) {
  const { count, packages, delayMs } = options;
  const online = client(`/after/${delayMs}`);
  let isOnline = false;
  const api: SyncApi = {
    ...online,
    patchPackage: (...call) => (isOnline ? online : nowhere).patchPackage(...call),
    pullPackages: (since) => (isOnline ? online : nowhere).pullPackages(since),
    pullUsers: (since) => (isOnline ? online : nowhere).pullUsers(since),
  };
  return onFreshDatabase(api, async (opened) => {
    const { engine, db, store } = opened;
    await queue(opened, count, packages);
    await atRest(engine);
    await store.settled();
    isOnline = true;
    const begun = performance.now();
    let left = count;
    await new Promise<void>((resolve) => {
      engine.subscribe((event) => {
        if (event.kind === 'refused') throw new Error(JSON.stringify(event.operation.lastError));
        if (event.kind !== 'acknowledged') return;
        left -= 1;
        if (left === 0) resolve();
      });
      engine.request('online');
    });
    const seconds = (performance.now() - begun) / 1000;
    if ((await db.outbox.count()) > 0) throw new Error('The outbox is not empty.');
    return count / seconds;
  });
}

const pageSize = 500;

function pagesOf(all: Package[], cursor: string): Package[][] {
  return cursor === ''
    ? []
    : Array.from({ length: Math.ceil(all.length / pageSize) }, (_, page) =>
        all.slice(page * pageSize, (page + 1) * pageSize),
      );
}

/** Applies a changing list: pages of 500 from memory, as the client would have parsed them. */
async function delta({ count, isShown }: { count: number; isShown: boolean }) {
  let changed = rows(count);
  let base = 0;
  const api: SyncApi = {
    ...nowhere,
    pullUsers: async () => ({
      rows: [],
      removedIds: [],
      cursor: 'users',
      hasMore: false,
      isReset: false,
    }),
    pullPackages: async (since) => {
      const pages = pagesOf(changed, 'x');
      const at = since === '' ? 0 : Number(since) - base;
      const hasMore = at + 1 < pages.length;
      const page = structuredClone(pages[at] ?? []);
      return { rows: page, removedIds: [], cursor: String(base + at + 1), hasMore, isReset: false };
    },
  };
  return onFreshDatabase(api, async ({ engine, store, db }) => {
    if (!isShown) store.close();
    await engine.drain();
    await store.settled();
    base = changed.length / pageSize;
    changed = rows(count, 2);
    const begun = performance.now();
    await engine.drain();
    const seconds = (performance.now() - begun) / 1000;
    const last = await db.packages.get(packageId(count));
    if (last?.version !== 2) throw new Error('The delta did not arrive.');
    return count / seconds;
  });
}

/** A full pull into an empty database and onto a list, from a server without delay. Seconds. */
async function pull({ count }: { count: number }) {
  return onFreshDatabase(client(`/holding/${count}`), async ({ engine, store, db }) => {
    const begun = performance.now();
    await engine.drain();
    await store.settled();
    const seconds = (performance.now() - begun) / 1000;
    const [shown, kept] = [store.state().views?.length, await db.packages.count()];
    if (shown !== count || kept !== count) throw new Error(`${kept} received, ${shown} shown.`);
    return seconds;
  });
}

const coldName = 'cold';

async function fill({ count, operations }: { count: number; operations: number }) {
  const { db, close } = open(coldName, nowhere);
  await db.delete({ disableAutoOpen: false });
  await db.packages.bulkPut(rows(count));
  const queued = Array.from({ length: operations }, (_, index) => {
    const number = 1 + ((index * 7) % count);
    const intent = intents[index % intents.length]?.(number) ?? edit(number, '');
    return {
      ...intent,
      id: newId(),
      lane: `package:${intent.targetId}`,
      schemaVersion: operationSchemaVersion,
      state: 'waiting' as const,
      createdAt: '2026-11-21T10:00:00.000Z',
      tries: 0,
      lastError: null,
      backoff: null,
    };
  });
  await db.outbox.bulkAdd(queued);
  await close();
}

/** From opening the database to the first rows, and to all of them. */
async function coldStart() {
  const begun = performance.now();
  const db = new UserDatabase(coldName);
  const store = openPackageStore({ db, userInfo, clock: systemClock });
  const took = { open: Number.NaN, first: Number.NaN, whole: Number.NaN };
  db.on('ready', () => {
    took.open = performance.now() - begun;
  });
  store.subscribe(() => {
    const { views, isWhole } = store.state();
    if (Number.isNaN(took.first) && (views?.length ?? 0) >= 50) {
      took.first = performance.now() - begun;
    }
    if (isWhole) took.whole = performance.now() - begun;
  });
  await store.settled();
  store.close();
  db.close();
  return took;
}

/** From the commit of one changed row to the views that show it. */
async function recompute({ times }: { times: number }) {
  const db = new UserDatabase(coldName);
  const store = openPackageStore({ db, userInfo, clock: systemClock });
  await store.settled();
  const took: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const number = 1 + ((index * 7) % 10_000);
    const id = packageId(number);
    const version = (store.view(id)?.version ?? 0) + 1;
    await store.settled();
    await nextTask();
    const shown = new Promise<void>((resolve) => {
      const stop = store.subscribe(() => {
        if (store.view(id)?.version !== version) return;
        stop();
        resolve();
      });
    });
    await putRows(db.packages, [row(number, version)]);
    const begun = performance.now();
    await shown;
    took.push(performance.now() - begun);
  }
  store.close();
  db.close();
  return { p50: quantile(took, 0.5), p95: quantile(took, 0.95) };
}

const held: unknown[] = [];

/** Keeps everything loaded, for the heap to be measured from outside. */
async function backoff() {
  const opened = open(coldName, nowhere);
  await opened.store.settled();
  held.push(opened);
  return opened.store.state().views?.length;
}

const measurements: Measurements = {
  enqueue,
  replay,
  delta,
  pull,
  fill,
  coldStart,
  recompute,
  backoff,
};
Object.assign(globalThis, { measurements });
