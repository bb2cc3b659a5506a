/** A courier's money as last heard. */
import { expect, it } from 'vitest';
import { keepPayments, readKeptPayments } from '#db/kept-payments.ts';
import { wipeUser } from '#db/wipe.ts';
import { closeDevices, newDevice } from './device.ts';

closeDevices();

it('is kept on the phone, the last of it, until the session ends', async () => {
  const { db } = newDevice().openTab();
  expect(await readKeptPayments(db)).toBeNull();
  await keepPayments(db, 'earlier');
  await keepPayments(db, 'last');
  expect(await readKeptPayments(db)).toBe('last');
  await wipeUser(db);
  expect(await readKeptPayments(db)).toBeNull();
});
