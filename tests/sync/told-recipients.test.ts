/** Packages whose recipients were sent their link from this phone. */
import { expect, it } from 'vitest';
import { readTold, writeTold } from '#db/told-recipients.ts';
import { wipeUser } from '#db/wipe.ts';
import { replacedMark } from '#domain/package.ts';
import { closeDevices, newDevice } from './device.ts';

closeDevices();

it('is kept by package through a log-out, until the link is replaced', async () => {
  const { db } = newDevice().openTab();
  expect(await readTold(db)).toEqual(new Set());
  await Promise.all(['one', 'two', 'one'].map((id) => writeTold(db, id, true)));
  await wipeUser(db);
  expect(await readTold(db)).toEqual(new Set(['one', 'two']));
  await writeTold(db, 'one', false);
  expect(await readTold(db)).toEqual(new Set(['two', replacedMark('one')]));
  await writeTold(db, 'one', true);
  expect(await readTold(db)).toEqual(new Set(['two', 'one']));
});

it('keeps the newest five hundred', async () => {
  const { db } = newDevice().openTab();
  const value = Array.from({ length: 500 }, (_, at) => `p${at}`).join(' ');
  await db.meta.put({ key: 'toldRecipients', value });
  await writeTold(db, 'new', true);
  const told = [...(await readTold(db))];
  expect(told).toHaveLength(500);
  expect([told[0], told.at(-1)]).toEqual(['p1', 'new']);
});
