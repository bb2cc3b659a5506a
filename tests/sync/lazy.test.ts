/** Lazily loaded engine and package store, and failures to load them. */
import { expect, it } from 'vitest';
import { createLazyStore } from '#data/lazy-store.ts';
import { openPackageStore, type PackageStore } from '#data/package-store.ts';
import { NotSavedError } from '#db/storage-fault.ts';
import type { SyncEvent } from '#sync/engine.ts';
import { createLazyEngine } from '#sync/lazy-engine.ts';
import {
  accept,
  closeDevices,
  device,
  me,
  newDevice,
  packageId,
  pulled,
  settled,
} from './device.ts';

closeDevices();

const notFetched = new TypeError('Failed to fetch dynamically imported module');

it('an engine that cannot be loaded reports a network failure until it can', async () => {
  const { engine } = newDevice().openTab();
  let isThere = false;
  const lazy = createLazyEngine(async () => {
    if (!isThere) throw notFetched;
    return engine;
  });
  const heard: SyncEvent[] = [];
  const unheard: SyncEvent[] = [];
  lazy.subscribe((event) => heard.push(event));
  const unsubscribe = lazy.subscribe((event) => unheard.push(event));
  expect(lazy.status().lastFailure).toBeNull();
  await expect(lazy.enqueue(accept())).rejects.toBeInstanceOf(NotSavedError);
  expect(lazy.status().lastFailure).toMatchObject({ kind: 'network' });
  expect(heard).toEqual([{ kind: 'status', status: lazy.status() }]);
  unsubscribe();
  isThere = true;
  lazy.request('retry');
  await expect.poll(() => heard.length).toBeGreaterThan(1);
  await settled();
  expect(lazy.status()).toMatchObject({ lastFailure: null, phase: 'idle' });
  expect(unheard).toHaveLength(1);
});

it('an engine stopped before it loads does nothing', async () => {
  const { engine } = newDevice().openTab();
  const lazy = createLazyEngine(async () => engine);
  await lazy.stop();
  lazy.request('start');
  await expect(lazy.enqueue(accept())).rejects.toBeInstanceOf(NotSavedError);
  await settled();
  expect(device.server.calls).toEqual([]);
});

it('a store applies requests made before it loaded and shows the result', async () => {
  const { tab } = await pulled();
  const userInfo = { ...me, email: '', roles: ['Employee' as const] };
  let isThere = false;
  const looked: string[] = [];
  const load = async (): Promise<PackageStore> => {
    if (!isThere) throw notFetched;
    const store = openPackageStore({ db: tab.db, userInfo, clock: device.clock, pauseMs: 0 });
    return { ...store, look: (id) => looked.push(id) };
  };
  const lazy = createLazyStore(load);
  const { subscribe } = lazy;
  lazy.look(packageId(1));
  await settled();
  expect(lazy.state().views).toBeUndefined();
  isThere = true;
  subscribe(() => undefined);
  await expect.poll(() => lazy.state().views).toHaveLength(1);
  expect([looked, lazy.subscribe === subscribe]).toEqual([[packageId(1)], true]);
  lazy.close();
});
