/** Answers and pages that arrive after newer state; found by the model. */
import { describe, expect, it } from 'vitest';
import { wipeMirror } from '#db/user-database.ts';
import { answersStatus, type Call, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  device,
  edit,
  editProfile,
  enqueue,
  packageId,
  passTime,
  pulled,
  request,
  requestUntil,
  settled,
  states,
  type Tab,
  until,
} from './device.ts';

closeDevices();

async function wait(ms: number) {
  await passTime(ms);
}

const creates = (calls: { name: string; key: string }[]) =>
  calls.filter(({ name }) => name === 'createPackage').map(({ key }) => key);

describe('a replayed answer', () => {
  it('does not revert people on a package that a pull has updated', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', faults.truncated);
    await enqueue(tab, accept());
    const row = server.packages.get(packageId(1));
    if (!row) throw new Error('It is there.');
    // A new phone number does not change the package's version.
    const sender = { ...row.sender, phoneNumber: '0809 000 0000' };
    server.packages.set(row.id, { ...row, sender });
    await request(tab, 'event');
    await wait(60_000);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(row.id)).toMatchObject({ version: 2, sender });
  });

  it('21: does not bring back a package that a pull has removed', async () => {
    const { server, tab } = await pulled();
    server.fail('createPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    await enqueue(tab, create(9));
    server.packages.delete(packageId(9));
    await request(tab, 'event');
    await wait(60_000);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(packageId(9))).toBeUndefined();
  });

  it('is done even if its package cannot be read right now', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', faults.truncated);
    // A gateway's 404 while the server restarts.
    server.fail('getPackage', answersStatus(404));
    await enqueue(tab, accept());
    await wait(60_000);
    expect(await states(tab)).toEqual(['acceptPackage waiting malformed']);
    await wait(60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(1);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ version: 2 });
  });

  it('does not bring back a deleted package during a full list', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('createPackage', faults.truncated);
    await enqueue(tab, create(9));
    server.packages.delete(packageId(9));
    server.rows.forgetCursors();
    server.rows.pageSize.packages = 2;
    const barrier = await requestUntil(
      tab,
      'event',
      ({ name, body }) => name === 'pullPackages' && body !== '',
    );
    // Due between two pages.
    device.clock.advance(60_000);
    barrier.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(packageId(9))).toBeUndefined();
    expect(await tab.db.packages.count()).toBe(6);
  });

  it('nor if the tab that sent it was killed before it counted the attempt', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('patchUser', answersStatus(503), 2);
    await enqueue(tab, editProfile({ firstName: 'Sani' }));
    const create9 = server.holdNext('createPackage');
    await tab.engine.enqueue(create(9));
    await create9.reached;
    tab.freeze();
    create9.release();
    await until(() => server.packages.has(packageId(9)));
    tab.kill();
    // Signed out and in again, which empties the mirror; another user deleted it in between.
    const next = device.openTab();
    await wipeMirror(next.db);
    server.packages.delete(packageId(9));
    server.rows.pageSize.packages = 2;
    // Until the user is mirrored again, the create waits behind the profile.
    await request(next, 'start');
    expect(creates(server.calls)).toHaveLength(2);
    await wait(60_000);
    expect(await states(next)).toEqual([]);
    expect(await next.db.packages.get(packageId(9))).toBeUndefined();
    expect(await next.db.packages.count()).toBe(6);
  });
});

describe('during a full list', () => {
  /** Pulls up to the second page; operations that are due go out before the third. */
  async function midway(server: ReturnType<typeof aServer>, tab: Tab) {
    server.rows.forgetCursors();
    server.rows.pageSize.packages = 2;
    const isPage = ({ name, body }: Call) => name === 'pullPackages' && body !== '';
    const second = server.holdNext((call) => isPage(call) && String(call.body).endsWith('02'));
    const third = server.holdNext((call) => isPage(call) && String(call.body).endsWith('04'));
    tab.engine.request('event');
    await second.reached;
    device.clock.advance(60_000);
    second.release();
    await third.reached;
    return third;
  }

  it('a late answer is shown immediately if its package is still visible', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('patchPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    await enqueue(tab, edit({ description: 'Mine' }, { number: 6, baseVersion: 1 }));
    const page = await midway(server, tab);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(packageId(6))).toMatchObject({ description: 'Mine' });
    page.release();
    await settled();
    expect(await tab.db.packages.count()).toBe(6);
  });

  it('a row created here stays visible until its page arrives, without a conflict', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('createPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    server.fail('patchPackage', faults.truncated);
    await tab.engine.enqueue(create(9));
    for (const notes of ['One', 'Two']) {
      await tab.engine.enqueue(edit({ notes }, { number: 9, baseVersion: 0 }));
    }
    await settled();
    const page = await midway(server, tab);
    // The create is acknowledged; the first edit is applied, and its answer was lost.
    expect(await states(tab)).toEqual(['editPackage waiting malformed', 'editPackage waiting']);
    expect(await tab.db.packages.get(packageId(9))).toMatchObject({ version: 1 });
    page.release();
    await settled();
    expect(await tab.db.packages.get(packageId(9))).toMatchObject({ notes: 'One' });
    await wait(60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(9))).toMatchObject({ notes: 'Two' });
  });

  it('the same holds after a sign-out, before the list restarts', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('createPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    await enqueue(tab, create(9));
    server.rows.forgetCursors();
    server.rows.pageSize.packages = 2;
    const second = await requestUntil(tab, 'event', ({ body }) => String(body).endsWith('02'));
    tab.kill();
    second.release();
    const next = device.openTab();
    await wipeMirror(next.db);
    const first = await requestUntil(next, 'start', 'pullPackages');
    expect(await states(next)).toEqual([]);
    expect(await next.db.packages.get(packageId(9))).toMatchObject({ version: 1 });
    first.release();
    await settled();
    expect(await next.db.packages.count()).toBe(7);
  });

  it('the first answer to an operation is current: a conflict shows the row', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('createPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    await tab.engine.enqueue(create(9));
    const { id } = await enqueue(tab, edit({ notes: 'Mine' }, { number: 9, baseVersion: 0 }));
    server.changePackage(packageId(9), { notes: 'Theirs' });
    const page = await midway(server, tab);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(await tab.db.packages.get(packageId(9))).toMatchObject({ notes: 'Theirs' });
    // Resolved with that row shown: no longer a conflict.
    await tab.engine.retry(id);
    page.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(9))).toMatchObject({ notes: 'Mine' });
  });
});

describe('a page requested before a sign-out', () => {
  it('does not write into the mirror emptied since', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.changePackage(packageId(2), { notes: 'New' });
    const barrier = await requestUntil(tab, 'event', 'pullPackages');
    // In another tab, which had stopped its engine first.
    const other = device.openTab();
    await wipeMirror(other.db);
    barrier.release();
    await settled();
    await wait(60_000);
    // The whole list from its start, not the one changed row.
    expect(await other.db.packages.count()).toBe(3);
    expect(tab.faults).toEqual([]);
  });
});
