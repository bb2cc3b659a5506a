import { Dexie } from 'dexie';
import { describe, expect, it } from 'vitest';
import {
  clearSession,
  DeviceDatabase,
  finishWipes,
  keepVerdict,
  readDueWipes,
  readSession,
  renewSession,
  writeSession,
} from '#db/device-database.ts';
import { addProof } from '#db/proofs.ts';
import { readLastPulledAt, readSelf, readUsers, readUserView } from '#db/queries.ts';
import { UserDatabase } from '#db/user-database.ts';
import { wipeMirror } from '#db/wipe.ts';
import { aPackage, ids } from '#tests/builders/package.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  deliver,
  editProfile,
  enqueue,
  me,
  offline,
  packageId,
  request,
  shown,
  states,
} from './device.ts';
import { readOperations, readPackageView, readPackageViews } from './views.ts';

closeDevices();

const userInfo = {
  id: me.id,
  email: 'sani@kaya.test',
  roles: ['Employee' as const],
  firstName: 'Sani',
  lastName: 'Token',
};

async function queued() {
  const server = aServer(2);
  const { tab } = await offline(server);
  await enqueue(tab, accept(), create(7), editProfile({ firstName: 'Musa' }));
  return { server, tab };
}

describe('the device database', () => {
  it('stores one session and deletes it', async () => {
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

describe('the result of a session check', () => {
  const expired = { code: 'session_expired', message: 'Your login has expired.' };
  const inactive = { code: 'account_inactive', message: 'Deactivated.' };
  const unclear = { code: 'session_unclear', message: 'Please log in again.' };

  it.each([
    ['expired, on a trusted device', expired, true, { verdict: expired, wipes: [] }],
    ['expired, on another', expired, false, { verdict: expired, wipes: [me.id] }],
    ['of a deactivated account', inactive, true, { verdict: inactive, wipes: [me.id] }],
    ['unclear: nothing has ended', unclear, false, { verdict: undefined, wipes: [] }],
  ])('%s', async (name, verdict, isTrusted, { verdict: kept, wipes }) => {
    const db = new DeviceDatabase(`device of ${name}`);
    await writeSession(db, { userId: me.id, userInfo, isTrusted });
    await keepVerdict(db, ids.sender, verdict);
    expect(await readSession(db)).not.toHaveProperty('verdict');
    await keepVerdict(db, me.id, verdict);
    expect((await readSession(db))?.verdict).toEqual(kept);
    expect(await readDueWipes(db)).toEqual(wipes);
    await writeSession(db, { userId: me.id, userInfo, isTrusted });
    expect(await readSession(db)).not.toHaveProperty('verdict');
    expect(await readDueWipes(db)).toEqual([]);
    db.close();
  });
});

describe('the drafts of a session that has ended', () => {
  const expired = { code: 'session_expired', message: 'Your login has expired.' };
  const inactive = { code: 'account_inactive', message: 'Deactivated.' };
  type End = (phone: DeviceDatabase) => Promise<unknown>;

  it.each<[string, boolean, End, { rows: number; drafts: number }]>([
    ['expired, trusted', true, (db) => keepVerdict(db, me.id, expired), { rows: 1, drafts: 1 }],
    ['expired', false, (db) => keepVerdict(db, me.id, expired), { rows: 0, drafts: 0 }],
    ['inactive, trusted', true, (db) => keepVerdict(db, me.id, inactive), { rows: 0, drafts: 1 }],
    ['inactive', false, (db) => keepVerdict(db, me.id, inactive), { rows: 0, drafts: 0 }],
    ['left, trusted', true, (db) => clearSession(db, {}, 'mirror'), { rows: 0, drafts: 1 }],
    ['logged out', true, (db) => clearSession(db), { rows: 0, drafts: 0 }],
    [
      'logged out in an older version of the app',
      true,
      (db) => db.session.put({ key: `wipe ${me.id}`, userId: me.id }),
      { rows: 0, drafts: 0 },
    ],
  ])('%s: what the next start leaves', async (name, isTrusted, end, left) => {
    const phone = new DeviceDatabase(`drafts of ${name}`);
    await writeSession(phone, { userId: me.id, userInfo, isTrusted });
    const user = new UserDatabase(me.id);
    await user.packages.put(aPackage());
    await addProof(user, {
      id: ids.operation,
      packageId: ids.package,
      kind: 'photo',
      type: 'image/webp',
      digest: '',
      bytes: new ArrayBuffer(1),
      createdAt: '2026-11-21T10:00:00.000Z',
    });
    await end(phone);
    await finishWipes(phone);
    expect({ rows: await user.packages.count(), drafts: await user.proofs.count() }).toEqual(left);
    expect(await readDueWipes(phone)).toEqual([]);
    await user.delete();
    phone.close();
  });
});

describe('a log-out interrupted before it finished', () => {
  it('is finished at the next start: the mirror is emptied, unsent operations stay', async () => {
    const { tab } = await queued();
    const { userId } = tab.db;
    const phone = new DeviceDatabase('device-left');
    await writeSession(phone, { userId, userInfo, isTrusted: true });
    await clearSession(phone);
    phone.close();
    const next = new DeviceDatabase('device-left');
    await finishWipes(next);
    expect(await tab.db.packages.count()).toBe(0);
    expect(await tab.db.users.count()).toBe(0);
    expect(await states(tab)).toHaveLength(3);
    expect(await readDueWipes(next)).toEqual([]);
    next.close();
  });

  it('stays pending if the storage fails', async () => {
    const phone = new DeviceDatabase('device-failing');
    await writeSession(phone, { userId: 'nobody', userInfo, isTrusted: true });
    await clearSession(phone);
    const none = { indexedDB: undefined, IDBKeyRange: undefined } as never;
    await finishWipes(phone, none);
    expect(await readDueWipes(phone)).toEqual(['nobody']);
    phone.close();
  });

  it('is not undone by an answer about the session that arrives during it', async () => {
    const phone = new DeviceDatabase('device-answered');
    const session = { userId: me.id, userInfo, isTrusted: true };
    await writeSession(phone, session);
    await renewSession(phone, { ...session, userInfo: { ...userInfo, firstName: 'Musa' } });
    expect((await readSession(phone))?.userInfo.firstName).toBe('Musa');
    await clearSession(phone);
    await renewSession(phone, session);
    expect(await readSession(phone)).toBeNull();
    expect(await readDueWipes(phone)).toEqual([me.id]);
    await writeSession(phone, { ...session, userId: ids.sender });
    await renewSession(phone, session);
    expect((await readSession(phone))?.userId).toBe(ids.sender);
    phone.close();
  });

  it('does not affect a user who has signed in again', async () => {
    const phone = new DeviceDatabase('device-again');
    await writeSession(phone, { userId: 'again', userInfo, isTrusted: true });
    await clearSession(phone);
    await writeSession(phone, { userId: 'again', userInfo, isTrusted: true });
    expect(await readDueWipes(phone)).toEqual([]);
    phone.close();
  });
});

describe('the user database', () => {
  it('is separate for each user', async () => {
    const [one, other] = [new UserDatabase('one'), new UserDatabase('other')];
    await one.meta.put({ key: 'lastPulledAt', value: 'x' });
    expect(await readLastPulledAt(other)).toBeNull();
    expect(await Dexie.getDatabaseNames()).toEqual(
      expect.arrayContaining(['kaya-user-one', 'kaya-user-other']),
    );
    one.close();
    other.close();
  });

  it('keeps unsent operations when its mirror is wiped, and sends them after the next sign-in', async () => {
    const { server, tab } = await queued();
    await wipeMirror(tab.db);
    expect(await tab.db.packages.count()).toBe(0);
    expect(await tab.db.users.count()).toBe(0);
    expect(await readLastPulledAt(tab.db)).toBeNull();
    expect(await states(tab)).toHaveLength(3);
    server.isReachable = true;
    await request(tab, 'start');
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(3);
  });
});

describe('reads for screens', () => {
  it('return the mirror overlaid with pending operations', async () => {
    const { tab } = await queued();
    const { roles: _, ...sender } = await readSelf(tab.db, userInfo);
    const self = { ...sender, roles: me.roles };
    const views = await readPackageViews(tab.db, self);
    const byId = new Map(views.map((view) => [view.id, view]));
    expect(views).toHaveLength(3);
    expect(byId.get(packageId(1))).toMatchObject({ status: 'in-transit', isAcceptRequested: true });
    expect(byId.get(packageId(2))).toMatchObject({ status: 'pending', mark: 'none' });
    expect(byId.get(packageId(7))).toMatchObject({ sender, mark: 'waiting' });
    expect(await readPackageView(tab.db, packageId(7), self)).toEqual(byId.get(packageId(7)));
    expect(await readPackageView(tab.db, packageId(9), self)).toBeNull();
    expect(await readUserView(tab.db, me.id)).toMatchObject({ firstName: 'Musa', mark: 'waiting' });
    expect(await readUserView(tab.db, ids.otherSender)).toBeNull();
    const users = await readUsers(tab.db);
    expect(users.map(({ firstName }) => firstName)).toEqual(['Amina', 'Musa']);
    const names = (await readOperations(tab.db)).map((operation) => operation.name);
    expect(names).toEqual(['acceptPackage', 'createPackage', 'editProfile']);
  });

  it('of one package ignore operations on others', async () => {
    const { tab } = await queued();
    await tab.engine.enqueue(deliver());
    expect(await shown(tab)).toMatchObject({ status: 'delivered' });
    expect(await shown(tab, 2)).toMatchObject({ status: 'pending' });
  });

  it('derive the own user from the token until its row is pulled', async () => {
    const db = new UserDatabase('without-rows');
    expect(await readSelf(db, userInfo)).toEqual({
      id: me.id,
      firstName: 'Sani',
      lastName: 'Token',
      email: 'sani@kaya.test',
      phoneNumber: null,
      roles: userInfo.roles,
    });
    db.close();
  });
});
