/** A server restored from a backup: its versions continue below the phone's. */
import { describe, expect, it } from 'vitest';
import { aPackage } from '#tests/builders/package.ts';
import type { FakeServer } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  packageId,
  pulled,
  request,
  requestUntil,
  settled,
  states,
} from './device.ts';

closeDevices();

const asBackedUp = (number: number, description: string) => {
  const id = packageId(number);
  return aPackage({ id, packageId: `KY-00000${number}`, version: 1, description });
};

function restore(server: FakeServer, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    server.packages.set(packageId(number), asBackedUp(number, 'restored'));
  }
  server.rows.forgetCursors();
}

/** The phone has version 5 of each, the server's backup version 1. */
async function restored(count = 1, pageSize = 500) {
  const all = await pulled(aServer(count));
  const { server, tab } = all;
  for (let number = 1; number <= count; number += 1) {
    for (const notes of ['1', '2', '3', '4']) server.changePackage(packageId(number), { notes });
  }
  await request(tab, 'pull');
  server.rows.pageSize.packages = pageSize;
  restore(server, count);
  return all;
}

describe('after the server was restored from a backup', () => {
  it('a stale page does not revert operations acknowledged since the list began', async () => {
    const { server, tab } = await restored(3, 1);
    const page = server.packages.page.bind(server.packages);
    const stale = asBackedUp(3, 'restored');
    server.packages.page = (since) => {
      const made = page(since);
      return { ...made, rows: made.rows.map((row) => (row.id === stale.id ? stale : row)) };
    };
    const first = await requestUntil(
      tab,
      'pull',
      ({ name, body }) => name === 'pullPackages' && `${body}` < '2',
    );
    await tab.engine.enqueue(accept(3));
    first.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(packageId(3))).toMatchObject({ status: 'in-transit' });
  });

  it("the phone shows the server's state, including older versions", async () => {
    const { server, tab } = await restored(3);
    await request(tab, 'pull');
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
  });

  it('operations acknowledged between two pages of the new list are not reverted by a later page', async () => {
    const { server, tab } = await restored(3, 1);
    const first = await requestUntil(
      tab,
      'pull',
      ({ name, body }) => name === 'pullPackages' && `${body}` < '2',
    );
    await tab.engine.enqueue(accept(3));
    first.release();
    await settled();
    expect(server.effects).toHaveLength(1);
    expect(await tab.db.packages.toArray()).toEqual([...server.packages.values()]);
    expect(await tab.db.packages.get(packageId(3))).toMatchObject({ status: 'in-transit' });
  });
});
