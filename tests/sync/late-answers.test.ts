/** Answers and pages that come after what they are about has moved on; found by the model. */
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
  it('does not undo what a pull has brought of the people on a package since', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', faults.truncated);
    await enqueue(tab, accept());
    const row = server.packages.get(packageId(1));
    if (!row) throw new Error('It is there.');
    // A new telephone number is no new version of the package.
    const sender = { ...row.sender, phoneNumber: '0809 000 0000' };
    server.packages.set(row.id, { ...row, sender });
    await request(tab, 'event');
    await wait(60_000);
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(row.id)).toMatchObject({ version: 2, sender });
  });

  it('21: does not bring back a package that a pull has taken away since', async () => {
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

  it('is done although its package cannot be read again just now', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', faults.truncated);
    // As a gateway says it, which knows no such path while the server restarts.
    server.fail('getPackage', answersStatus(404));
    await enqueue(tab, accept());
    await wait(60_000);
    expect(await states(tab)).toEqual(['acceptPackage waiting malformed']);
    await wait(60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(1);
    expect(await tab.db.packages.get(packageId(1))).toMatchObject({ version: 2 });
  });

  it('does not bring back a package that is gone while a full list is under way', async () => {
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
    // Its time comes between two pages.
    device.clock.advance(60_000);
    barrier.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(await tab.db.packages.get(packageId(9))).toBeUndefined();
    expect(await tab.db.packages.count()).toBe(6);
  });

  it('nor where the tab that sent it did not live to count the try', async () => {
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
    // Signed out and in again, which empties the mirror; meanwhile it was deleted by somebody else.
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

describe('while a full list is under way', () => {
  /** As far as its second page; what waited for its time goes out before the third. */
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

  it('an answer that comes late is seen at once where its package is still shown', async () => {
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

  it('what was created here stays in sight until its page comes, and conflicts with nobody', async () => {
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
    // The create is through; the first edit is done, and its answer was lost.
    expect(await states(tab)).toEqual(['editPackage waiting malformed', 'editPackage waiting']);
    expect(await tab.db.packages.get(packageId(9))).toMatchObject({ version: 1 });
    page.release();
    await settled();
    expect(await tab.db.packages.get(packageId(9))).toMatchObject({ notes: 'One' });
    await wait(60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(9))).toMatchObject({ notes: 'Two' });
  });

  it('the same is true where a sign-out came between, before the list begins anew', async () => {
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

  it('the answer to what was never sent is news: a conflict shows what it is with', async () => {
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
    // Decided on with that in sight: it is no conflict any more.
    await tab.engine.retry(id);
    page.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(9))).toMatchObject({ notes: 'Mine' });
  });
});

describe('a page that was asked for before a sign-out', () => {
  it('comes to nothing in the mirror that was emptied since', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.changePackage(packageId(2), { notes: 'New' });
    const barrier = await requestUntil(tab, 'event', 'pullPackages');
    // In another tab, which had stopped its own engine first.
    const other = device.openTab();
    await wipeMirror(other.db);
    barrier.release();
    await settled();
    await wait(60_000);
    // The whole list, from its beginning: not the one row that had changed.
    expect(await other.db.packages.count()).toBe(3);
    expect(tab.faults).toEqual([]);
  });
});
