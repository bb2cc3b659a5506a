import { Dexie } from 'dexie';
import { afterEach, describe, expect, it } from 'vitest';
import { clearSession, DeviceDatabase, readSession, writeSession } from '#db/device-database.ts';
import { readLastPulledAt, readSelf, readUsers, readUserView } from '#db/queries.ts';
import { UserDatabase, wipeMirror } from '#db/user-database.ts';
import { ids } from '#tests/builders/package.ts';
import {
  accept,
  aDevice,
  aServer,
  create,
  type Device,
  edit,
  editProfile,
  me,
  packageId,
  settled,
  states,
} from './device.ts';
import { readOperations, readPackageView, readPackageViews } from './views.ts';

let device: Device;
afterEach(() => device?.close());

const userInfo = {
  id: me.id,
  email: 'sani@kaya.test',
  roles: ['Employee' as const],
  firstName: 'Sani',
  lastName: 'Token',
};

async function queued() {
  const server = aServer(2);
  device = aDevice(server);
  const tab = device.openTab();
  tab.engine.request('start');
  await settled(device);
  server.isReachable = false;
  await tab.engine.enqueue(accept());
  await tab.engine.enqueue(create(7));
  await tab.engine.enqueue(editProfile({ firstName: 'Musa' }));
  await settled(device);
  return { server, tab };
}

describe('the device database', () => {
  it('knows one session at a time and forgets it', async () => {
    const db = new DeviceDatabase('device-test');
    expect(await readSession(db)).toBeNull();
    await writeSession(db, { userId: ids.sender, userInfo, isTrusted: false });
    await writeSession(db, { userId: me.id, userInfo, isTrusted: true });
    expect(await readSession(db)).toEqual({ userId: me.id, userInfo, isTrusted: true });
    await clearSession(db);
    expect(await readSession(db)).toBeNull();
    db.close();
  });
});

describe('the user database', () => {
  it('is one per user', async () => {
    const [one, other] = [new UserDatabase('one'), new UserDatabase('other')];
    await one.meta.put({ key: 'lastPulledAt', value: 'x' });
    expect(await readLastPulledAt(other)).toBeNull();
    expect(await Dexie.getDatabaseNames()).toEqual(
      expect.arrayContaining(['kaya-user-one', 'kaya-user-other']),
    );
    one.close();
    other.close();
  });

  it('wiped of its mirror keeps what is not sent, and sends it after the next sign-in', async () => {
    const { server, tab } = await queued();
    await wipeMirror(tab.db);
    expect(await tab.db.packages.count()).toBe(0);
    expect(await tab.db.users.count()).toBe(0);
    expect(await readLastPulledAt(tab.db)).toBeNull();
    expect(await states(tab)).toHaveLength(3);
    server.isReachable = true;
    tab.engine.request('start');
    await settled(device);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(3);
  });
});

describe('what screens read', () => {
  it('is the mirror with the pending operations laid over', async () => {
    const { tab } = await queued();
    const self = await readSelf(tab.db, userInfo);
    const views = await readPackageViews(tab.db, self);
    const byId = new Map(views.map((view) => [view.id, view]));
    expect(views).toHaveLength(3);
    expect(byId.get(packageId(1))).toMatchObject({ status: 'in-transit', isAcceptRequested: true });
    expect(byId.get(packageId(2))).toMatchObject({ status: 'pending', mark: 'none' });
    expect(byId.get(packageId(7))).toMatchObject({ sender: self, mark: 'waiting' });
    expect(await readPackageView(tab.db, packageId(7), self)).toEqual(byId.get(packageId(7)));
    expect(await readPackageView(tab.db, packageId(9), self)).toBeNull();
    expect(await readUserView(tab.db, me.id)).toMatchObject({ firstName: 'Musa', mark: 'waiting' });
    expect(await readUserView(tab.db, ids.sender)).toBeNull();
    expect(await readUsers(tab.db)).toMatchObject([{ firstName: 'Musa' }]);
    const names = (await readOperations(tab.db)).map((operation) => operation.name);
    expect(names).toEqual(['acceptPackage', 'createPackage', 'editProfile']);
  });

  it('keeps to one package: another’s operations do not touch it', async () => {
    const { tab } = await queued();
    await tab.engine.enqueue(edit({ notes: 'Two' }, { number: 2 }));
    expect(await readPackageView(tab.db, packageId(1), me)).toMatchObject({ notes: null });
    expect(await readPackageView(tab.db, packageId(2), me)).toMatchObject({ notes: 'Two' });
  });

  it('knows oneself from the token until the row is here', async () => {
    const db = new UserDatabase('without-rows');
    expect(await readSelf(db, userInfo)).toEqual({
      id: me.id,
      firstName: 'Sani',
      lastName: 'Token',
      email: 'sani@kaya.test',
      phoneNumber: null,
    });
    db.close();
  });
});
