/** A courier accepts the price, places and dates they saw, and no others. */
import { expect, it } from 'vitest';
import {
  accept,
  aServer,
  closeDevices,
  goOnline,
  me,
  offline,
  packageId,
  request,
  settled,
  states,
} from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

/** Accepted offline on version 1; the sender changed it before the accept was sent. */
async function acceptedMeanwhile(changes: { pickupAddress?: string; notes?: string }) {
  const all = await offline(aServer());
  const operation = await all.tab.engine.enqueue(accept(1, 1));
  await settled();
  all.server.isReachable = true;
  all.server.changePackage(packageId(1), changes);
  await request(all.tab, 'online');
  return { ...all, operation };
}

it('does not apply to an address changed before the accept arrived', async () => {
  const { server, tab } = await acceptedMeanwhile({ pickupAddress: 'Another town' });
  expect(await states(tab)).toEqual(['acceptPackage attention conflict']);
  const [row] = await tab.db.outbox.toArray();
  expect(Object.keys(row?.lastError?.fields ?? {})).toEqual(['pickupAddress']);
  expect(server.packages.get(packageId(1))?.courier).toBeNull();
  // The pull has brought the new address.
  expect(await readPackageView(tab.db, packageId(1), me)).toMatchObject({
    ...{ pickupAddress: 'Another town', courier: null, mark: 'attention' },
  });
});

it('asks again about changed terms, and once more if they change again', async () => {
  const { server, tab, operation } = await acceptedMeanwhile({ pickupAddress: 'Another town' });
  server.changePackage(packageId(1), { deliveryAddress: 'Far away' });
  await tab.engine.retry(operation.id);
  await settled();
  expect(await states(tab)).toEqual(['acceptPackage attention conflict']);
  const [again] = await tab.db.outbox.toArray();
  await tab.engine.retry(again?.id ?? '');
  await settled();
  expect(await states(tab)).toEqual([]);
  expect(server.packages.get(packageId(1))?.courier).toMatchObject({ id: me.id });
});

it('applies if something else changed', async () => {
  const { server, tab } = await acceptedMeanwhile({ notes: 'Ring twice' });
  expect(await states(tab)).toEqual([]);
  expect(server.packages.get(packageId(1))?.courier).toMatchObject({ id: me.id });
});

it('stored by the previous version is sent as it was made', async () => {
  const all = await offline(aServer());
  await all.tab.engine.enqueue(accept(1));
  await all.tab.db.outbox.toCollection().modify({ schemaVersion: 1 });
  await goOnline(all.tab);
  expect(await states(all.tab)).toEqual([]);
  const [sent] = all.server.calls.filter(({ name }) => name === 'patchPackage');
  expect(sent?.body).toEqual({ deliveryPersonId: me.id, deliveryStatus: 'In Transit' });
});
