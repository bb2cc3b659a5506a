/** A phone for tests: the real engine on a real (in-memory) database, everything else faked. */
import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { UserDatabase } from '#db/user-database.ts';
import type { Intent, Operation } from '#domain/operation.ts';
import { partyToWire, type Self } from '#domain/user.ts';
import type { SyncEngine, SyncEvent } from '#sync/engine.ts';
import type { Ports } from '#sync/ports.ts';
import { aPackage, aUser, ids, party } from '#tests/builders/package.ts';
import {
  createFakeChannels,
  createFakeClock,
  createFakeLocks,
  type FakeTab,
  openTab,
} from '#tests/fakes/browser.ts';
import { type Call, FakeServer } from '#tests/fakes/fake-server.ts';
import { readPackageView } from './views.ts';

export const me: Self = { ...party(ids.courier, 'Sani'), roles: ['Employee'] };

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

export interface Tab extends FakeTab {
  events: SyncEvent[];
  faults: unknown[];
}

interface DeviceOptions {
  /** 1, the default, makes every back-off its longest. */
  random?: Ports['random'];
  makeRoom?: () => Promise<boolean>;
}

let devices = 0;

function createDevice(server: FakeServer, options: DeviceOptions) {
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
    /** Another tab of the same browser: own engine and connection, same database, same locks. */
    openTab(db = new UserDatabase(name)): Tab {
      const events: SyncEvent[] = [];
      const faults: unknown[] = [];
      const opened = openTab({
        db,
        clock,
        locks,
        channel: channelEnd(),
        api: server.api(),
        userId: me.id,
        random: () => 1,
        newId: () => crypto.randomUUID(),
        ...options,
        onFault: (cause) => faults.push(cause),
      });
      opened.engine.subscribe((event) => events.push(event));
      const tab = { ...opened, events, faults };
      tabs.push(tab);
      return tab;
    },
    /** Posts a message on the tab channel that no engine sent. */
    tell: channelEnd().post,
    async close() {
      for (const tab of tabs) {
        await tab.engine.stop();
        tab.db.close();
      }
    },
  };
}

/** The current test's phone. */
export let device: ReturnType<typeof createDevice>;

/** Closes the phone after each test; called at the top of a file. */
export function closeDevices(): void {
  afterEach(() => device?.close());
}

export function newDevice(server = aServer(), options: DeviceOptions = {}) {
  device = createDevice(server, options);
  return device;
}

/** Resolves once no engine of the device works or waits; never while a call is at a barrier. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await setImmediate();
    await device.locks.withLock(`kaya-sync-${me.id}`, async () => {});
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
      recipientName,
      description,
      pickupAddress,
      deliveryAddress,
      pickupDate,
      recipientPhone: '+2348057654321',
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

/** A phone with a completed first pull and an empty outbox. */
export async function pulled(server = aServer(), options: DeviceOptions = {}) {
  const tab = newDevice(server, options).openTab();
  await request(tab, 'start');
  return { server, tab };
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

/** The request for the next page of packages, not the first. */
export const isLaterPage = ({ name, body }: Call) => name === 'pullPackages' && body !== '';

/** A package as the server has it. */
export const onServer = (number = 1) => device.server.packages.get(packageId(number));

/** A package as the mirror has it. */
export const mirrored = ({ db }: Tab, number = 1) => db.packages.get(packageId(number));

/** A package as screens show it. */
export const shown = ({ db }: Tab, number = 1) => readPackageView(db, packageId(number), me);

/** Queues the operations in order and waits until the engine is idle; returns the last. */
export async function enqueue({ engine }: Tab, ...intents: [Intent, ...Intent[]]) {
  let operation: Operation | undefined;
  for (const intent of intents) operation = await engine.enqueue(intent);
  await settled();
  return operation as Operation;
}
