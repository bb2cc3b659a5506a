/** One drain at a time, over tabs that are killed, frozen and thawed. */
import { describe, expect, it } from 'vitest';
import { frozenMs } from '#sync/coordination/lease.ts';
import {
  accept,
  closeDevices,
  deliver,
  device,
  mirrored,
  onServer,
  packageId,
  pulled,
  requestUntil,
  settled,
  states,
} from './device.ts';

closeDevices();

const anEffect = `patchPackage ${packageId(1)}`;
const aDelivery = anEffect.replace('patchPackage', 'recordEvent');

/** Advances `ms` in steps, with turns of the loop after each: a held call never settles. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    device.clock.advance(Math.min(left, 1_000));
    for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate);
  }
}

/** The first of two tabs sends an accept, with a delivery behind it; the request is held. */
async function twoTabs() {
  const { server, tab: first } = await pulled();
  const second = device.openTab();
  const hold = server.holdNext('patchPackage');
  await first.engine.enqueue(accept());
  await first.engine.enqueue(deliver());
  await hold.reached;
  return { server, first, second, hold };
}

describe('a draining tab', () => {
  it('keeps the lease while it sends heartbeats, however slow the server is', async () => {
    const { server, first, second, hold } = await twoTabs();
    second.engine.request('focus');
    await pass(120_000);
    expect(server.mutations()).toHaveLength(1);
    expect(device.locks.mostAtOnce()).toBe(1);
    hold.release();
    await settled();
    expect(await states(first)).toEqual([]);
    expect(server.effects).toEqual([anEffect, aDelivery]);
  });

  it('8: that freezes loses the lease within 45 s, has no second effect, and takes its next turn', async () => {
    const { server, first, second, hold } = await twoTabs();
    first.freeze();
    second.engine.request('focus');
    // A busy phone's delays come on top of it.
    await pass(frozenMs + 1_000);
    expect(await states(second)).toEqual([]);
    expect(onServer()).toMatchObject({ status: 'delivered', version: 3 });
    first.thaw();
    hold.release();
    await pass(5_000);
    expect(server.effects).toEqual([anEffect, aDelivery]);
    expect(onServer()).toMatchObject({ status: 'delivered', version: 3 });
    expect(await mirrored(second)).toMatchObject({ status: 'delivered' });
    expect(first.faults).toEqual([]);
    server.changePackage(packageId(1), { status: 'in-transit' });
    await first.engine.enqueue(deliver());
    await pass(5_000);
    expect(await states(first)).toEqual([]);
    expect(server.effects).toHaveLength(3);
  });

  it('does not keep one that waits for its turn from stopping', async () => {
    const { second, hold } = await twoTabs();
    const drained = second.engine.drain();
    await pass(1_000);
    await second.engine.stop();
    expect(await drained).toBe(2);
    hold.release();
    await settled();
    expect(device.clock.pending()).toEqual([]);
  });

  it('8: the same on a busy phone, whose timers come late: what they are late by counts', async () => {
    const { server, first, second, hold } = await twoTabs();
    first.freeze();
    second.engine.request('focus');
    for (let look = 0; look < 6; look += 1) {
      device.clock.setBack(device.clock.now() + 2_000);
      await pass(5_000);
    }
    await pass(2_000);
    expect(await states(second)).toEqual([]);
    expect(server.effects).toEqual([anEffect, aDelivery]);
    first.thaw();
    hold.release();
    await pass(5_000);
    expect(server.effects).toHaveLength(2);
  });

  it('that took the lease over can lose it the same way, without a fault or a timer left', async () => {
    const { server, first, second, hold } = await twoTabs();
    const holdAgain = server.holdNext('patchPackage');
    first.freeze();
    second.engine.request('focus');
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
    expect(await mirrored(third)).toMatchObject({ status: 'delivered' });
    await Promise.all([first, second, third].map(({ engine }) => engine.stop()));
    expect(device.clock.pending()).toEqual([]);
  });

  it('that thaws overwrites nothing the next holder wrote', async () => {
    const { server, tab: first } = await pulled();
    const second = device.openTab();
    const barrier = await requestUntil(first, 'focus', 'pullPackages');
    first.freeze();
    // The server answers with the current list; the frozen tab reads it when it thaws.
    barrier.release();
    second.engine.request('focus');
    await pass(45_000);
    server.changePackage(packageId(1), { description: 'Newer' });
    second.engine.request('focus');
    await pass(1_000);
    expect(await mirrored(second)).toMatchObject({ description: 'Newer' });
    const before = await second.db.lists.toArray();
    let writes = 0;
    first.db.lists.hook('updating', (changes) => {
      if ('cursor' in changes) writes += 1;
    });
    first.thaw();
    await pass(1_000);
    expect(await mirrored(second)).toMatchObject({ description: 'Newer' });
    expect([await second.db.lists.toArray(), writes]).toEqual([before, 0]);
  });

  it("that thaws during another's lease plans once, and leaves no timer when it stops", async () => {
    const { server, first, second, hold } = await twoTabs();
    const holdAgain = server.holdNext('patchPackage');
    first.freeze();
    second.engine.request('focus');
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
    const { server, first, second, hold } = await twoTabs();
    second.engine.request('focus');
    first.kill();
    await pass(2_000);
    expect(await states(second)).toEqual([]);
    expect(server.effects).toEqual([anEffect, aDelivery]);
    hold.release();
  });
});
