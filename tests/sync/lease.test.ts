/** One drain at a time, over tabs that are killed, frozen and thawed. */
import { describe, expect, it } from 'vitest';
import type { FakeServer } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  deliver,
  device,
  packageId,
  pulled,
  requestUntil,
  settled,
  states,
  type Tab,
} from './device.ts';

closeDevices();

async function twoTabs(count = 1): Promise<{ server: FakeServer; first: Tab; second: Tab }> {
  const server = aServer(count);
  const { tab: first } = await pulled(server);
  return { server, first, second: device.openTab() };
}

/** The first tab froze during its request, and the second took over; both requests are held. */
async function firstFrozen() {
  const { server, first, second } = await twoTabs();
  const [hold, holdAgain] = [server.holdNext('patchPackage'), server.holdNext('patchPackage')];
  await first.engine.enqueue(accept());
  await hold.reached;
  first.freeze();
  second.engine.request('focus');
  return { first, second, hold, holdAgain };
}

/** Advances `ms` in steps, settling after each. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    device.clock.advance(Math.min(left, 1_000));
    for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate);
  }
}

describe('a draining tab', () => {
  it('keeps the lease while it sends heartbeats, however slow the server is', async () => {
    const { server, first, second } = await twoTabs();
    const barrier = server.holdNext('patchPackage');
    await first.engine.enqueue(accept());
    await barrier.reached;
    second.engine.request('focus');
    await pass(120_000);
    expect(server.mutations()).toHaveLength(1);
    expect(device.locks.mostAtOnce()).toBe(1);
    barrier.release();
    await settled();
    expect(await states(first)).toEqual([]);
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
  });

  it('8: that freezes loses the lease within 45 s, and its late request has no second effect', async () => {
    const { server, first, second } = await twoTabs();
    const barrier = server.holdNext('patchPackage');
    await first.engine.enqueue(accept());
    await first.engine.enqueue(deliver());
    await barrier.reached;
    first.freeze();
    second.engine.request('focus');
    await pass(45_000);
    expect(await states(second)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({ status: 'delivered', version: 3 });

    first.thaw();
    barrier.release();
    await pass(5_000);
    expect(server.effects).toEqual([
      `patchPackage ${packageId(1)}`,
      `patchPackage ${packageId(1)}`,
    ]);
    expect(server.packages.get(packageId(1))).toMatchObject({ status: 'delivered', version: 3 });
    expect(await second.db.packages.get(packageId(1))).toMatchObject({ status: 'delivered' });
    expect(first.faults).toEqual([]);
  });

  it('that took the lease over can lose it the same way, without a fault', async () => {
    const { first, second, hold, holdAgain } = await firstFrozen();
    await pass(45_000);
    await holdAgain.reached;
    second.freeze();
    const third = device.openTab();
    third.engine.request('focus');
    await pass(45_000);
    expect(await states(third)).toEqual([]);
    hold.release();
    holdAgain.release();
    first.thaw();
    second.thaw();
    await pass(5_000);
    expect([...first.faults, ...second.faults, ...third.faults]).toEqual([]);
    expect(await third.db.packages.get(packageId(1))).toMatchObject({ status: 'in-transit' });
  });

  it('that thaws overwrites nothing the next holder wrote', async () => {
    const { server, first, second } = await twoTabs();
    const barrier = await requestUntil(first, 'focus', 'pullPackages');
    first.freeze();
    // The server answers with the current list; the frozen tab reads it when it thaws.
    barrier.release();
    second.engine.request('focus');
    await pass(45_000);
    server.changePackage(packageId(1), { description: 'Newer' });
    second.engine.request('focus');
    await pass(1_000);
    const cursor = (await second.db.lists.get('packages'))?.cursor;
    const written: unknown[] = [];
    first.db.lists.hook('updating', (changes) => {
      written.push(changes);
    });
    expect(await second.db.packages.get(packageId(1))).toMatchObject({ description: 'Newer' });
    first.thaw();
    await pass(1_000);
    expect(await second.db.packages.get(packageId(1))).toMatchObject({ description: 'Newer' });
    expect(written.flatMap((one) => Object.values(one as object))).not.toContainEqual(
      expect.not.stringMatching(`${cursor}`),
    );
  });

  it('that thaws continues in its next turn', async () => {
    const { server, first, second } = await twoTabs(2);
    const barrier = server.holdNext('patchPackage');
    await first.engine.enqueue(accept(1));
    await barrier.reached;
    first.freeze();
    second.engine.request('focus');
    await pass(45_000);
    first.thaw();
    barrier.release();
    await pass(5_000);
    await first.engine.enqueue(accept(2));
    await pass(5_000);
    expect(await states(first)).toEqual([]);
    expect(server.effects).toHaveLength(2);
  });

  it("that thaws during another's lease plans once, and leaves no timer when it stops", async () => {
    const { first, second, hold, holdAgain } = await firstFrozen();
    let isTakenOver = false;
    void holdAgain.reached.then(() => {
      isTakenOver = true;
    });
    while (!isTakenOver) await pass(1_000);
    // It learns that its lease was taken, and then its own request returns.
    first.thaw();
    hold.release();
    await pass(1);
    expect(first.faults).toEqual([]);
    await Promise.all([first.engine.stop(), second.engine.stop()]);
    holdAgain.release();
    await pass(1);
    expect(device.clock.pending()).toEqual([]);
  });

  it('that is killed is replaced within 2 s', async () => {
    const { server, first, second } = await twoTabs();
    const barrier = server.holdNext('patchPackage');
    await first.engine.enqueue(accept());
    await barrier.reached;
    second.engine.request('focus');
    first.kill();
    await pass(2_000);
    expect(await states(second)).toEqual([]);
    expect(server.effects).toEqual([`patchPackage ${packageId(1)}`]);
    barrier.release();
  });
});
