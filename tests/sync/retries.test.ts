import { describe, expect, it } from 'vitest';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  deliver,
  device,
  enqueue,
  offline,
  packageId,
  passTime,
  pulled,
  request,
  settled,
  states,
} from './device.ts';

closeDevices();

/** Runs the due wake-up, whatever it is for. */
async function nextTry() {
  const [delayMs] = device.clock.pending();
  if (delayMs === undefined) throw new Error('Nothing is planned.');
  await passTime(delayMs);
  return delayMs;
}

describe('retries', () => {
  it.each([429, 500])('10: include %i', async (status) => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answersStatus(status));
    await enqueue(tab, accept());
    expect(await states(tab)).toEqual(['acceptPackage waiting http']);
    expect(tab.engine.status()).toMatchObject({ phase: 'idle' });
    await nextTry();
    expect(await states(tab)).toEqual([]);
  });

  it('11: are unlimited, with delays up to a minute', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('internal'), 40);
    const { id } = await enqueue(tab, accept());
    const delaysMs: number[] = [];
    for (let round = 0; round < 40; round += 1) delaysMs.push(await nextTry());
    expect(delaysMs.slice(0, 8)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
    expect(Math.max(...delaysMs)).toBe(60_000);
    expect(await states(tab)).toEqual([]);
    expect(new Set(server.calls.map((call) => call.key).filter(Boolean))).toEqual(new Set([id]));
  });

  it('are counted and explained on the operation', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('unavailable'), 2);
    await enqueue(tab, accept());
    await nextTry();
    const [row] = await tab.db.outbox.toArray();
    expect(row).toMatchObject({
      tries: 2,
      lastError: { code: 'unavailable', status: 503, at: '2026-11-21T10:00:01.000Z' },
    });
  });

  it('wait for Retry-After, also on focus', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answersStatus(429, 30_000));
    await enqueue(tab, accept());
    device.clock.advance(29_000);
    const looks = ['focus', 'online', 'visible', 'start'] as const;
    for (const reason of looks) tab.engine.request(reason);
    await settled();
    expect(server.mutations()).toHaveLength(1);
    await passTime(2_000);
    expect(server.effects).toHaveLength(1);
  });

  it('wait for nothing, not even Retry-After, when a user requests them', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answersStatus(429, 3_600_000));
    server.fail('pullUsers', answersStatus(503, 3_600_000));
    await enqueue(tab, accept());
    const before = server.calls.filter(({ name }) => name === 'pullUsers').length;
    await request(tab, 'retry');
    expect(server.effects).toHaveLength(1);
    expect(server.calls.filter(({ name }) => name === 'pullUsers').length).toBe(before + 1);
  });

  it('do not wait when a user or the network requests them', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('internal'));
    await enqueue(tab, accept());
    await request(tab, 'timer');
    expect(server.effects).toHaveLength(0);
    await request(tab, 'online');
    expect(server.effects).toHaveLength(1);
  });

  it('are not delayed when the clock is set back', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('internal'));
    await enqueue(tab, accept());
    device.clock.setBack(Date.parse('2020-01-01T00:00:00.000Z'));
    await request(tab, 'timer');
    expect(server.effects).toHaveLength(1);
  });

  it('do not loop busily when the jitter is zero', async () => {
    const { server, tab } = await pulled(aServer(), { random: () => 0 });
    server.fail('patchPackage', answers('internal'), 3);
    await enqueue(tab, accept());
    expect(server.mutations()).toHaveLength(1);
    expect(await nextTry()).toBeGreaterThanOrEqual(100);
  });
});

describe('without a network', () => {
  it("one lane's attempt is enough: neither the rest nor the pull is tried", async () => {
    const { server, tab } = await offline(aServer(9));
    const before = server.calls.length;
    for (let number = 1; number <= 9; number += 1) await tab.engine.enqueue(accept(number));
    await settled();
    const calls = server.calls.slice(before);
    expect(calls.some((call) => call.name.startsWith('list'))).toBe(false);
    expect(tab.engine.status()).toMatchObject({ lastFailure: { kind: 'network' }, phase: 'idle' });
    const tried = server.calls.length;
    await request(tab, 'online');
    expect(server.calls.length - tried).toBeLessThanOrEqual(4);
  });

  it('12: everything is sent once it is back, without any trigger', async () => {
    const { server, tab } = await offline(aServer(9));
    for (let number = 1; number <= 9; number += 1) await tab.engine.enqueue(accept(number));
    await settled();
    for (let round = 0; round < 12; round += 1) await nextTry();
    server.isReachable = true;
    await nextTry();
    expect(server.effects).toHaveLength(9);
    expect(await states(tab)).toEqual([]);
    expect(tab.engine.status().lastFailure).toBeNull();
  });

  it('a pull that finds it back sends waiting operations immediately', async () => {
    const { server, tab } = await offline();
    await enqueue(tab, accept());
    server.isReachable = true;
    await request(tab, 'timer');
    expect(server.effects).toHaveLength(1);
  });

  it('one operation that always times out does not block the others', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.fail((call) => call.targetId === packageId(1), faults.timedOut, 1_000);
    await enqueue(tab, accept(1));
    await enqueue(tab, accept(2), accept(3));
    for (let round = 0; round < 6; round += 1) await nextTry();
    expect(server.effects.sort()).toEqual([2, 3].map((n) => `patchPackage ${packageId(n)}`));
    const tries = server.mutations().length;
    for (let round = 0; round < 3; round += 1) await nextTry();
    expect(server.mutations().length - tries).toBeLessThanOrEqual(3);
  });
});

describe('an ended session', () => {
  it('pauses and keeps everything: timers and events do not retry', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('session_expired'));
    await enqueue(tab, accept());
    expect(tab.engine.status().isPaused).toBe(true);
    expect(await states(tab)).toEqual(['acceptPackage waiting']);
    const before = server.calls.length;
    for (const reason of ['event', 'timer', 'pull', 'enqueue'] as const) tab.engine.request(reason);
    await enqueue(tab, deliver());
    expect(server.calls).toHaveLength(before);
  });

  it.each([
    'start',
    'focus',
    'visible',
    'online',
    'retry',
  ] as const)('resumes on proof of a live session: %s', async (reason) => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('session_expired'));
    await enqueue(tab, accept());
    await tab.engine.enqueue(deliver());
    await request(tab, reason);
    const calm = { phase: 'idle', lastFailure: null, isPaused: false };
    expect(tab.engine.status()).toMatchObject(calm);
    expect(server.packages.get(packageId(1))?.status).toBe('delivered');
    expect(await states(tab)).toEqual([]);
  });

  it('is retried after a minute, then less and less often', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('unauthenticated'), 7);
    await enqueue(tab, accept());
    const delaysMs: number[] = [];
    for (let round = 0; round < 7; round += 1) delaysMs.push(await nextTry());
    const minutes = delaysMs.map((delayMs) => delayMs / 60_000);
    expect(minutes).toEqual([1, 2, 4, 8, 15, 15, 15]);
    expect(await states(tab)).toEqual([]);
    expect(tab.engine.status().isPaused).toBe(false);
    expect(device.clock.pending()).toEqual([]);
  });

  it('for sending does not stop pulls forever', async () => {
    const { server, tab } = await pulled(aServer(2));
    server.fail('patchPackage', answers('unauthenticated'), 1_000);
    await enqueue(tab, accept());
    server.changePackage(packageId(2), { description: 'Changed' });
    await nextTry();
    expect(await tab.db.packages.get(packageId(2))).toMatchObject({ description: 'Changed' });
    expect(tab.engine.status().isPaused).toBe(true);
    expect(await states(tab)).toEqual(['acceptPackage waiting']);
  });

  it('pauses all lanes instead of refusing each', async () => {
    const { server, tab } = await offline(aServer(9));
    for (let number = 1; number <= 9; number += 1) await tab.engine.enqueue(accept(number));
    await settled();
    server.isReachable = true;
    server.fail('patchPackage', answers('unauthenticated'), 1_000);
    const before = server.mutations().length;
    await request(tab, 'online');
    expect(server.mutations().length - before).toBeLessThanOrEqual(4);
    expect(await states(tab)).toHaveLength(9);
  });

  it('pauses when the pull detects it', async () => {
    const { server, tab } = await pulled();
    server.fail('pullUsers', answers('session_expired'));
    await request(tab, 'pull');
    expect(tab.engine.status().isPaused).toBe(true);
  });
});

describe('a refused pull', () => {
  it('is not repeated by timers and events for at least half a minute, then longer', async () => {
    const { server, tab } = await pulled();
    server.fail('pullPackages', answers('forbidden'), 3);
    await request(tab, 'focus');
    expect(tab.engine.status().lastFailure?.code).toBe('forbidden');
    const before = server.calls.length;
    for (const reason of ['event', 'timer', 'pull'] as const) tab.engine.request(reason);
    await settled();
    expect(server.calls).toHaveLength(before);
    const delaysMs = [await nextTry(), await nextTry(), await nextTry()];
    expect(delaysMs).toEqual([60_000, 120_000, 240_000]);
    expect(tab.engine.status()).toMatchObject({ lastFailure: null, isPaused: false });
  });

  it.each(['focus', 'retry'] as const)('is repeated for a user: %s', async (reason) => {
    const { server, tab } = await pulled();
    server.fail('pullPackages', answers('forbidden'));
    await request(tab, 'pull');
    await request(tab, reason);
    expect(tab.engine.status().lastFailure).toBeNull();
  });

  it('does not stop sending', async () => {
    const { server, tab } = await pulled();
    server.fail('pullPackages', answers('forbidden'));
    await request(tab, 'pull');
    await enqueue(tab, accept());
    expect(await states(tab)).toEqual([]);
  });
});

describe('status', () => {
  it('is emitted once per change', async () => {
    const { tab } = await pulled();
    tab.engine.request('focus');
    await request(tab, 'pull');
    const told = tab.events.filter((event) => event.kind === 'status');
    for (const [index, event] of told.entries()) {
      if (index > 0) expect(event).not.toEqual(told[index - 1]);
    }
    expect(tab.engine.status().phase).toBe('idle');
  });

  it('survives a listener that throws', async () => {
    const { server, tab } = await pulled();
    tab.engine.subscribe(() => {
      throw new Error('listener');
    });
    await enqueue(tab, accept());
    expect(server.effects).toHaveLength(1);
    expect(await states(tab)).toEqual([]);
    expect(tab.faults.length).toBeGreaterThan(0);
  });
});
