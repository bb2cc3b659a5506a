/** Opening a package that is not on the phone, and the failure of each call. */
import { describe, expect, it } from 'vitest';

import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  aServer,
  closeDevices,
  device,
  me,
  newDevice,
  packageId,
  request,
  requestUntil,
  settled,
} from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

function begin(count = 1) {
  const server = aServer(count);
  newDevice(server);
  return { server, tab: device.openTab() };
}

const names = (server: ReturnType<typeof aServer>) => server.calls.map(({ name }) => name);

describe('a requested package', () => {
  it('is fetched before the lists, and stays when they arrive', async () => {
    const { server, tab } = begin();
    const barrier = server.holdNext('pullUsers');
    const found = tab.engine.seek(packageId(1));
    await barrier.reached;
    expect(await found).toBeNull();
    expect(await readPackageView(tab.db, packageId(1), me)).toMatchObject({
      packageId: 'KY-000001',
    });
    barrier.release();
    await settled();
    expect(names(server)).toEqual(['getPackage', 'pullUsers', 'pullPackages']);
    expect(await tab.db.packages.get(packageId(1))).toBeDefined();
  });

  it('is fetched between the pages of a running list', async () => {
    const { server, tab } = begin();
    const barrier = await requestUntil(tab, 'start', 'pullUsers');
    const found = tab.engine.seek(packageId(1));
    barrier.release();
    expect(await found).toBeNull();
    await settled();
    expect(names(server).slice(0, 3)).toEqual(['pullUsers', 'getPackage', 'pullPackages']);
  });

  it.each([
    ['refused', answers('not_found'), 404],
    ['a broken server', answersStatus(500), 500],
  ])('resolves with the result of its own call: %s', async (_, fault, status) => {
    const { server, tab } = begin();
    server.fail('getPackage', fault);
    expect(await tab.engine.seek(packageId(1))).toMatchObject({ status });
    await settled();
    expect(tab.engine.status().lastFailure).toBeNull();
    expect(await tab.db.packages.get(packageId(1))).toBeDefined();
  });

  it('reports a missing network for all requested packages', async () => {
    const { server, tab } = begin(2);
    server.isReachable = false;
    const found = [1, 2].map((number) => tab.engine.seek(packageId(number)));
    expect(await Promise.all(found)).toMatchObject([{ kind: 'network' }, { kind: 'network' }]);
    await settled();
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'network' });
  });

  it('disappears with the next page that removes it', async () => {
    const { server, tab } = begin();
    await request(tab, 'start');
    const barrier = server.holdNext('pullUsers');
    const found = tab.engine.seek(packageId(1));
    await barrier.reached;
    await found;
    server.packages.delete(packageId(1));
    barrier.release();
    await settled();
    expect(await tab.db.packages.get(packageId(1))).toBeUndefined();
  });
});

describe('the error of the user list', () => {
  it('comes from its own call', async () => {
    const { server, tab } = begin();
    server.fail('pullUsers', answersStatus(500));
    server.fail('pullPackages', answersStatus(502));
    await request(tab, 'start');
    expect(tab.engine.status()).toMatchObject({
      lastFailure: { status: 502 },
      usersFailure: { status: 500 },
    });
    server.fail('pullPackages', faults.html);
    await request(tab, 'online');
    expect(tab.engine.status().usersFailure).toBeNull();
  });
});
