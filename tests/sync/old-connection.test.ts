/** A connection that reports its loss after it was replaced. */
import { afterEach, expect, it } from 'vitest';
import { abortLimitMs, stillLimitMs } from '#db/transaction-watch.ts';
import { UserDatabase } from '#db/user-database.ts';
import { failStorage } from '#tests/fakes/failing-storage.ts';
import { createFakeClock } from '#tests/fakes/fake-clock.ts';
import { until } from './device.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

it('leaves the new connection open', async () => {
  const clock = createFakeClock();
  const db = new UserDatabase('old-connection', { clock });
  const storage = failStorage(db);
  closing.push(() => db.close());
  await db.open();
  const old = db.backendDB();
  storage.failNext('meta', 'dead');
  const writing = db.meta.put({ key: 'lastPulledAt', value: '' }).catch(() => undefined);
  await until(() => clock.pending().includes(stillLimitMs));
  // Lost and reopened.
  db.close({ disableAutoOpen: false });
  clock.advance(0);
  await until(() => db.isOpen() && db.storage.fault() === null);
  const present = db.backendDB();
  expect(present).not.toBe(old);
  const shown: unknown[] = [];
  db.storage.subscribe(() => shown.push(db.storage.fault()));
  clock.advance(2 * stillLimitMs);
  clock.advance(abortLimitMs);
  expect(shown).toEqual([]);
  expect(db.backendDB()).toBe(present);
  storage.release();
  await writing;
});
