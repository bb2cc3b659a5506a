/** When the engine runs and how often it calls: waits, pending requests, reads. */
import { describe, expect, it, vi } from 'vitest';
import { watchChanges } from '#db/changes.ts';
import { sayAllChanged } from '#db/resilient-database.ts';
import { UserDatabase } from '#db/user-database.ts';
import type { Failure } from '#domain/outcome.ts';
import { createSyncEngine } from '#sync/engine.ts';
import { pauseMs, waitAfter } from '#sync/retry/back-off.ts';
import { aUser } from '#tests/builders/package.ts';
import { createFakeChannels } from '#tests/fakes/fake-channel.ts';
import { createFakeClock } from '#tests/fakes/fake-clock.ts';
import { createFakeLocks } from '#tests/fakes/fake-locks.ts';
import { aServer, closeDevices, create, me, offline, request, settled, until } from './device.ts';

closeDevices();

const asked = (retryAfterMs: number): Failure => ({
  ...{ kind: 'http', status: 503, code: 'unavailable', message: '' },
  retryAfterMs,
});

describe('a Retry-After', () => {
  it('is randomly extended: a thousand phones do not return simultaneously', () => {
    expect(waitAfter(asked(20_000), 1, () => 0)).toBe(20_000);
    expect(waitAfter(asked(20_000), 1, () => 0.5)).toBe(20_500);
    expect(waitAfter(asked(20_000), 1, () => 1)).toBe(21_000);
  });

  it('is an hour at most', () => {
    expect(waitAfter(asked(86_400_000), 1, () => 0)).toBe(3_600_000);
  });
});

it('a rejected session is retried after half a minute at the earliest', () => {
  expect(pauseMs(1, () => 0)).toBe(30_000);
  expect(pauseMs(99, () => 1)).toBe(900_000);
});

it('a sync request stays pending if the lock is unavailable', async () => {
  const server = aServer();
  const clock = createFakeClock();
  const db = new UserDatabase('rhythm-lock');
  const locks = createFakeLocks();
  let failures = 1;
  const engine = createSyncEngine({
    db,
    ports: {
      ...{ api: server.api(), clock, random: () => 1, newId: () => crypto.randomUUID() },
      locks: {
        withLock: (...call) => {
          failures -= 1;
          return failures >= 0 ? Promise.reject(new Error('No lock.')) : locks.withLock(...call);
        },
      },
      channel: createFakeChannels()(),
    },
    userId: me.id,
    onFault: () => undefined,
  });
  engine.request('focus');
  await until(() => clock.pending()[0] === 1_000);
  expect(server.calls).toEqual([]);
  clock.advance(1_000);
  await until(() => server.calls.some(({ name }) => name === 'pullPackages'));
  await engine.stop();
  db.close();
});

it('a long queue of creates reads the profile once, not once for each', async () => {
  const server = aServer();
  server.users.set(me.id, aUser(me, { phoneNumber: '0803 000 0000' }));
  const { tab } = await offline(server);
  for (let number = 10; number < 40; number += 1) await tab.engine.enqueue(create(number));
  await settled();
  server.isReachable = true;
  const reads = vi.spyOn(tab.db.users, 'get');
  await request(tab, 'online');
  expect(server.effects).toHaveLength(30);
  expect(reads.mock.calls.length).toBeLessThan(10);
});

it('a tab restored from the back/forward cache reads everything again', () => {
  const heard: unknown[] = [];
  const stop = watchChanges({ name: 'rhythm-cache' }, ['packages', 'outbox'], (changes) => {
    heard.push(Object.fromEntries(changes));
  });
  sayAllChanged();
  stop();
  sayAllChanged();
  expect(heard).toEqual([{ packages: 'all', outbox: 'all' }]);
});
