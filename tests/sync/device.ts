/** A phone for tests: the real engine on a real (in-memory) database, everything else faked. */
import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { UserDatabase } from '#db/user-database.ts';
import type { Intent, Operation } from '#domain/operation.ts';
import { type Party, partyToWire } from '#domain/user.ts';
import { createSyncEngine, type SyncEngine, type SyncEvent } from '#sync/engine.ts';
import { aPackage, aUser, ids, party } from '#tests/builders/package.ts';
import { createFakeChannels } from '#tests/fakes/fake-channel.ts';
import { createFakeClock, type FakeClock } from '#tests/fakes/fake-clock.ts';
import { createFakeLocks, type FakeLocks } from '#tests/fakes/fake-locks.ts';
import { FakeServer } from '#tests/fakes/fake-server.ts';
import { createTabLife } from '#tests/fakes/tab-life.ts';

export const me: Party = party(ids.courier, 'Sani');

export function packageId(number: number): string {
  return ids.package.replace(/.{4}$/, String(number).padStart(4, '0'));
}

/** A server with packages 1 to `count` on offer, and the user of this file. */
export function aServer(count = 1): FakeServer {
  const server = new FakeServer(me.id);
  server.users.set(me.id, aUser(me, { roles: ['Employee', 'Admin'] }));
  for (let number = 1; number <= count; number += 1) {
    const id = packageId(number);
    server.packages.set(id, aPackage({ id, packageId: `KY-00000${number}` }));
  }
  return server;
}

export interface Tab {
  db: UserDatabase;
  engine: SyncEngine;
  events: SyncEvent[];
  faults: unknown[];
  freeze(): void;
  thaw(): void;
  /** Kills the tab as a phone short of memory does: it stops running and its locks are released. */
  kill(): void;
}

export interface Device {
  server: FakeServer;
  clock: FakeClock;
  locks: FakeLocks;
  /** Another tab of the same browser: own engine and connection, same database, same locks. */
  /** `db`: opened before the engine. */
  openTab(db?: UserDatabase): Tab;
  /** Posts a message on the tab channel that no engine sent. */
  tell(message: unknown): void;
  close(): Promise<void>;
}

let devices = 0;

/** `random` 1 makes every back-off its longest. */
export function aDevice(
  server: FakeServer,
  { random = () => 1 }: { random?: () => number } = {},
): Device {
  devices += 1;
  const name = `${me.id}-${devices}`;
  const clock = createFakeClock();
  const locks = createFakeLocks();
  const channelEnd = createFakeChannels();
  const tabs: Tab[] = [];
  return {
    server,
    clock,
    locks,
    openTab(db = new UserDatabase(name)) {
      const events: SyncEvent[] = [];
      const faults: unknown[] = [];
      const life = createTabLife(clock, server.api());
      const tabLocks = locks.openTab();
      const ports = {
        api: life.api,
        locks: tabLocks,
        clock: life.clock,
        random,
        newId: () => crypto.randomUUID(),
        channel: channelEnd(),
      };
      const engine = createSyncEngine({
        db,
        ports,
        userId: me.id,
        onFault: (cause) => faults.push(cause),
      });
      engine.subscribe((event) => events.push(event));
      const tab = {
        ...{ db, engine, events, faults, freeze: life.freeze, thaw: life.thaw },
        kill: () => {
          life.kill();
          db.close();
          tabLocks.kill();
        },
      };
      tabs.push(tab);
      return tab;
    },
    tell: channelEnd().post,
    async close() {
      for (const tab of tabs) {
        await tab.engine.stop();
        tab.db.close();
      }
    },
  };
}

/** Resolves once no engine of the device works or waits; never while a call is at a barrier. */
export async function settled({ locks }: Device = device): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await setImmediate();
    await locks.withLock(`kaya-sync-${me.id}`, async () => {});
  }
}

/** Resolves once `isTrue`, checked once per event loop turn. For state no promise reports. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (await isTrue()) return;
    await setImmediate();
  }
  throw new Error('It never came true.');
}

export async function states(tab: Tab): Promise<string[]> {
  const rows = await tab.db.outbox.orderBy('seq').toArray();
  return rows.map(
    (row) => `${row.name} ${row.state}${row.lastError ? ` ${row.lastError.code}` : ''}`,
  );
}

export function accept(number = 1, baseVersion?: number): Intent {
  const args = { courier: partyToWire(me), ...(baseVersion === undefined ? {} : { baseVersion }) };
  return { name: 'acceptPackage', targetId: packageId(number), args };
}

export function deliver(number = 1): Intent {
  return { name: 'deliverPackage', targetId: packageId(number), args: {} };
}

export function edit(
  changes: Extract<Intent, { name: 'editPackage' }>['args']['changes'],
  { number = 1, baseVersion }: { number?: number; baseVersion?: number } = {},
): Intent {
  const args = baseVersion === undefined ? { changes } : { changes, baseVersion };
  return { name: 'editPackage', targetId: packageId(number), args };
}

export function remove(number = 1): Intent {
  return { name: 'deletePackage', targetId: packageId(number), args: {} };
}

export function create(number: number): Intent {
  const { recipientName, description, pickupAddress, deliveryAddress, pickupDate } = aPackage();
  return {
    name: 'createPackage',
    targetId: packageId(number),
    args: {
      _id: packageId(number),
      ...{ recipientName, description, pickupAddress, deliveryAddress, pickupDate },
      recipientPhone: '0805 765 4321',
      recipientEmail: null,
      notes: null,
      deliveryDate: null,
      priceOffer: 1500,
      paymentMethod: 'cash',
    },
  };
}

export function editProfile(
  changes: Extract<Intent, { name: 'editProfile' }>['args']['changes'],
): Intent {
  return { name: 'editProfile', targetId: me.id, args: { changes } };
}

/** The current test's phone. */
export let device: Device;

/** Closes the phone after each test; called at the top of a file. */
export function closeDevices(): void {
  afterEach(() => device?.close());
}

export function newDevice(...how: Parameters<typeof aDevice>): Device {
  device = aDevice(...how);
  return device;
}

/** A phone with a completed first pull and an empty outbox. */
export async function pulled(server = aServer(), options: { random?: () => number } = {}) {
  const tab = newDevice(server, options).openTab();
  await request(tab, 'start');
  return { device, server, tab };
}

/** The same, then offline. */
export async function offline(server = aServer()) {
  const all = await pulled(server);
  server.isReachable = false;
  return all;
}

/** Requests a sync and waits until the engine is idle. */
export function request({ engine }: Tab, reason: Parameters<SyncEngine['request']>[0]) {
  engine.request(reason);
  return settled();
}

/** Requests a sync and waits until the engine has made this call, which is held. */
export async function requestUntil(
  { engine }: Tab,
  reason: Parameters<SyncEngine['request']>[0],
  call: Parameters<FakeServer['holdNext']>[0],
) {
  const barrier = device.server.holdNext(call);
  engine.request(reason);
  await barrier.reached;
  return barrier;
}

export function passTime(ms: number): Promise<void> {
  device.clock.advance(ms);
  return settled();
}

/** The network is back and the `online` event fires. */
export function goOnline(tab: Tab): Promise<void> {
  device.server.isReachable = true;
  return request(tab, 'online');
}

/** Queues the operations in order and waits until the engine is idle; returns the last. */
export async function enqueue({ engine }: Tab, ...intents: [Intent, ...Intent[]]) {
  let operation: Operation | undefined;
  for (const intent of intents) operation = await engine.enqueue(intent);
  await settled();
  return operation as Operation;
}
