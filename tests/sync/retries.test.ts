/** When the engine calls again: delays, Retry-After, ended sessions, refused pulls. */
import { describe, expect, it, vi } from 'vitest';
import { watchChanges } from '#db/changes.ts';
import { sayAllChanged } from '#db/resilient-database.ts';
import { pauseMs, waitAfter } from '#sync/retry/back-off.ts';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  deliver,
  device,
  enqueue,
  goOnline,
  mirrored,
  newDevice,
  offline,
  onServer,
  packageId,
  passTime,
  pulled,
  request,
  settled,
  states,
  until,
} from './device.ts';

closeDevices();

/** Runs the due wake-up, whatever it is for. */
async function nextTry() {
  const [delayMs] = device.clock.pending();
  if (delayMs === undefined) throw new Error('Nothing is planned.');
  await passTime(delayMs);
  return delayMs;
}

async function nextTries(count: number) {
  const delaysMs: number[] = [];
  for (let round = 0; round < count; round += 1) delaysMs.push(await nextTry());
  return delaysMs;
}

const nineAccepts = [
  accept(),
  ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => accept(number)),
] as const;

/** Nine packages accepted offline, each in its own lane. */
async function nineQueued() {
  const all = await offline(aServer(9));
  await enqueue(all.tab, ...nineAccepts);
  return all;
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

  it('11: are unlimited and counted, with delays up to a minute', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('unavailable'), 40);
    await enqueue(tab, accept());
    const first = await nextTry();
    expect(await tab.db.outbox.toArray()).toMatchObject([
      {
        tries: 2,
        lastError: { code: 'unavailable', status: 503, at: '2026-11-21T10:00:01.000Z' },
      },
    ]);
    const seconds = [first, ...(await nextTries(39))].map((delayMs) => delayMs / 1_000);
    expect(seconds.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(Math.max(...seconds)).toBe(60);
    expect(await states(tab)).toEqual([]);
    expect(new Set(server.mutations().map(({ key }) => key)).size).toBe(1);
  });

  it('wait for Retry-After, also on focus', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answersStatus(429, 30_000));
    await enqueue(tab, accept());
    device.clock.advance(29_000);
    for (const reason of ['focus', 'online', 'visible', 'start'] as const) {
      tab.engine.request(reason);
    }
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
    const before = server.callsOf('pullUsers').length;
    await request(tab, 'retry');
    expect(server.effects).toHaveLength(1);
    expect(server.callsOf('pullUsers')).toHaveLength(before + 1);
  });

  it('do not wait when the network requests them', async () => {
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

  it('extend Retry-After randomly, up to an hour, and a pause to half a minute at least', () => {
    const failure = { kind: 'http', status: 503, code: 'unavailable', message: '' } as const;
    const waits = (retryAfterMs: number, random: number) =>
      waitAfter({ ...failure, retryAfterMs }, 1, () => random);
    // A thousand phones do not return simultaneously.
    expect([0, 0.5, 1].map((random) => waits(20_000, random))).toEqual([20_000, 20_500, 21_000]);
    expect(waits(86_400_000, 0)).toBe(3_600_000);
    expect([pauseMs(1, () => 0), pauseMs(99, () => 1)]).toEqual([30_000, 900_000]);
  });
});

describe('without a network', () => {
  it('12: a few attempts are enough, and all is sent once it is back, without any trigger', async () => {
    const { server, tab } = await nineQueued();
    expect(tab.engine.status()).toMatchObject({ lastFailure: { kind: 'network' }, phase: 'idle' });
    const pulls = server.callsOf('pullUsers').length;
    const tried = server.calls.length;
    await request(tab, 'online');
    expect(server.calls.length - tried).toBeLessThanOrEqual(4);
    expect(server.callsOf('pullUsers')).toHaveLength(pulls);
    await nextTries(12);
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
    await nextTries(6);
    expect(server.effects.sort()).toEqual([2, 3].map((n) => `patchPackage ${packageId(n)}`));
    const tries = server.mutations().length;
    await nextTries(3);
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
    await enqueue(tab, accept(), deliver());
    await request(tab, reason);
    const idle = { phase: 'idle', lastFailure: null, isPaused: false };
    expect(tab.engine.status()).toMatchObject(idle);
    expect(onServer()?.status).toBe('delivered');
    expect(await states(tab)).toEqual([]);
  });

  it('is retried after a minute, then less and less often, and pulls go on', async () => {
    const { server, tab } = await pulled(aServer(2));
    server.fail('patchPackage', answers('unauthenticated'), 7);
    await enqueue(tab, accept());
    server.changePackage(packageId(2), { description: 'Changed' });
    const first = await nextTry();
    expect(await mirrored(tab, 2)).toMatchObject({ description: 'Changed' });
    expect(tab.engine.status().isPaused).toBe(true);
    const minutes = [first, ...(await nextTries(6))].map((delayMs) => delayMs / 60_000);
    expect(minutes).toEqual([1, 2, 4, 8, 15, 15, 15]);
    expect(await states(tab)).toEqual([]);
    expect(tab.engine.status().isPaused).toBe(false);
    expect(device.clock.pending()).toEqual([]);
  });

  it('pauses all lanes instead of refusing each', async () => {
    const { server, tab } = await nineQueued();
    server.fail('patchPackage', answers('unauthenticated'), 1_000);
    const before = server.mutations().length;
    await goOnline(tab);
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
    expect(await nextTries(3)).toEqual([60_000, 120_000, 240_000]);
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

describe('the engine', () => {
  it('emits its status once per change, and survives a listener that throws', async () => {
    const { server, tab } = await pulled();
    tab.engine.subscribe(() => {
      throw new Error('listener');
    });
    tab.engine.request('focus');
    await enqueue(tab, accept());
    const told = tab.events.filter((event) => event.kind === 'status');
    for (const [index, event] of told.entries()) expect(event).not.toEqual(told[index - 1]);
    expect(tab.engine.status().phase).toBe('idle');
    expect(server.effects).toHaveLength(1);
    expect(tab.faults.length).toBeGreaterThan(0);
  });

  it('keeps a request pending while the lock is unavailable', async () => {
    const server = aServer();
    const tab = newDevice(server).openTab();
    vi.spyOn(tab.locks, 'withLock').mockRejectedValueOnce(new Error('No lock.'));
    tab.engine.request('focus');
    await until(() => device.clock.pending()[0] === 1_000);
    expect(server.calls).toEqual([]);
    device.clock.advance(1_000);
    await until(() => server.callsOf('pullPackages').length === 1);
  });

  it('reads the profile once for a long queue of creates, not once for each', async () => {
    const { server, tab } = await offline();
    for (let number = 10; number < 40; number += 1) await tab.engine.enqueue(create(number));
    await settled();
    const reads = vi.spyOn(tab.db.users, 'get');
    await goOnline(tab);
    expect(server.effects).toHaveLength(30);
    expect(reads.mock.calls.length).toBeLessThan(10);
  });

  it('has a tab restored from the back/forward cache read everything again', () => {
    const heard: unknown[] = [];
    const stop = watchChanges({ name: 'back-forward' }, ['packages', 'outbox'], (changes) => {
      heard.push(Object.fromEntries(changes));
    });
    sayAllChanged();
    stop();
    sayAllChanged();
    expect(heard).toEqual([{ packages: 'all', outbox: 'all' }]);
  });
});
