/** Lists as series of pages, interrupted at every possible point, and answers that arrive late. */
import { describe, expect, it } from 'vitest';
import { readLastPulledAt } from '#db/queries.ts';
import { wipeMirror } from '#db/wipe.ts';
import { aPackage } from '#tests/builders/package.ts';
import { answersStatus, type FakeServer, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  device,
  edit,
  editProfile,
  enqueue,
  isLaterPage,
  mirrored,
  newDevice,
  onServer,
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

/** A server whose full list takes several pages, and a device that has not pulled yet. */
function longServer() {
  const server = aServer(25);
  server.rows.pageSize.packages = 10;
  return { server, tab: newDevice(server).openTab() };
}

const cursors = (server: FakeServer) => server.callsOf('pullPackages').map(({ body }) => body);

/** Regardless of order. */
async function expectMirrored({ db }: Tab, server: FakeServer) {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect((await db.packages.toArray()).sort(byId)).toEqual(server.packages.values().sort(byId));
}

describe('a paginated list', () => {
  it('is shown as pages arrive, with its progress', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(tab, 'start', isLaterPage);
    expect(await tab.db.packages.count()).toBe(10);
    expect(tab.engine.status().progress).toBe(10);
    expect(await readLastPulledAt(tab.db)).toBeNull();
    barrier.release();
    await settled();
    await expectMirrored(tab, server);
    expect(tab.engine.status().progress).toBeNull();
    expect(await readLastPulledAt(tab.db)).not.toBeNull();
  });

  it('resumes after a network failure', async () => {
    const { server, tab } = longServer();
    server.fail(isLaterPage, faults.droppedAfter);
    await request(tab, 'start');
    await passTime(60_000);
    await expectMirrored(tab, server);
    expect(cursors(server).filter((since) => since === '')).toHaveLength(1);
  });

  it('resumes after the tab is killed', async () => {
    const { server, tab } = longServer();
    await requestUntil(tab, 'start', isLaterPage);
    tab.kill();
    const next = device.openTab();
    // Deleted since the first page listed it, so the rest of the series does not mention it.
    server.packages.delete(packageId(1));
    await request(next, 'start');
    expect(cursors(server).filter((since) => since === '')).toHaveLength(1);
    await request(next, 'pull');
    await expectMirrored(next, server);
  });

  it('requests a page again that could not be stored', async () => {
    const { server, tab } = longServer();
    const fail = () => {
      throw new Error('Not written.');
    };
    tab.db.packages.hook('creating', fail);
    await request(tab, 'start');
    tab.db.packages.hook('creating').unsubscribe(fail);
    await passTime(60_000);
    await expectMirrored(tab, server);
  });

  it('lets queued operations go first between two pages, and keeps what they did', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(tab, 'start', 'pullPackages');
    const gone: unknown[] = [];
    tab.db.packages.hook('deleting', (id) => {
      gone.push(id);
    });
    await tab.engine.enqueue(accept(1));
    await tab.engine.enqueue(create(0));
    const second = server.holdNext('pullPackages');
    barrier.release();
    await second.reached;
    expect(server.effects).toHaveLength(2);
    // Newest first: no later page lists it.
    const created = server.rows.find(packageId(0));
    if (created) created.number = 1_000_000;
    second.release();
    await settled();
    await expectMirrored(tab, server);
    expect(gone).toEqual([]);
  });

  it('removes rows missing from a full list, only at its end', async () => {
    const { server, tab } = longServer();
    await request(tab, 'start');
    server.packages.delete(packageId(3));
    server.packages.delete(packageId(24));
    server.rows.forgetCursors();
    const isSecond = ({ body }: { body: unknown }) => `${body}` > '2';
    const barrier = await requestUntil(tab, 'pull', (call) => isLaterPage(call) && isSecond(call));
    expect(await mirrored(tab, 24)).toBeDefined();
    barrier.release();
    await settled();
    await expectMirrored(tab, server);
    expect(await tab.db.seen.count()).toBe(0);
  });

  it('forgets earlier pages when it restarts', async () => {
    const { server, tab } = longServer();
    const barrier = await requestUntil(tab, 'start', isLaterPage);
    // On the first page of the abandoned list, and missing from the new one.
    server.packages.delete(packageId(1));
    server.packages.delete(packageId(2));
    server.rows.pageSize.packages = 500;
    server.rows.forgetCursors();
    barrier.release();
    await settled();
    await expectMirrored(tab, server);
  });
});

describe('changes since the last pull', () => {
  it('are the only thing requested', async () => {
    const { server, tab } = await pulled(aServer(3));
    server.changePackage(packageId(2), { description: 'Changed' });
    server.packages.delete(packageId(3));
    await request(tab, 'pull');
    expect(cursors(server)).toEqual(['', expect.stringMatching(/./)]);
    await expectMirrored(tab, server);
  });

  it('22: include changes made while their pages arrive', async () => {
    const server = aServer(6);
    server.rows.pageSize.packages = 2;
    const { tab } = await pulled(server);
    for (const number of [1, 6, 5]) server.changePackage(packageId(number), { notes: 'Changed' });
    const barrier = await requestUntil(tab, 'event', isLaterPage);
    server.changePackage(packageId(2), { notes: 'Late' });
    barrier.release();
    await settled();
    await request(tab, 'event');
    await expectMirrored(tab, server);
  });

  it('are the whole list from a server without deltas, and after headers were stripped', async () => {
    const { server, tab } = await pulled(aServer(3));
    const whole = { removedIds: [], cursor: null, hasMore: false, isReset: true };
    const page = server.rows.packagePage.bind(server.rows);
    server.changePackage(packageId(2), { description: 'Changed' });
    // A delta that looks like a whole list.
    server.rows.packagePage = (userId, since) => ({ ...page(userId, since), ...whole });
    await request(tab, 'pull');
    await expectMirrored(tab, server);
    server.rows.packagePage = () => ({ ...whole, rows: server.packages.values() });
    server.packages.delete(packageId(3));
    server.packages.set(packageId(4), aPackage({ id: packageId(4) }));
    await request(tab, 'pull');
    await expectMirrored(tab, server);
  });

  it.each([
    ['with a repeated cursor', [], (since: string) => ({ cursor: since, hasMore: true })],
    ['with removals but no cursor', [packageId(1)], () => ({ cursor: null, hasMore: false })],
  ])('%s fail and change nothing', async (_, removedIds, place) => {
    const { server, tab } = await pulled(aServer(3));
    const page = { rows: [], removedIds, isReset: removedIds.length > 0 };
    server.rows.packagePage = (_reader, since) => ({ ...page, ...place(since) });
    await request(tab, 'pull');
    expect(await tab.db.packages.count()).toBe(3);
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
  });

  it.each([
    ['two places in turn', (asked: number) => `place ${asked % 2}`, 9],
    ['ever new places without a row', (asked: number) => `place ${asked}`, 150],
  ])('of users that loop (%s) fail, and packages still arrive', async (_, place, most) => {
    const { server, tab } = await pulled(aServer(3));
    let asked = 0;
    server.rows.userPage = () => {
      asked += 1;
      return { rows: [], removedIds: [], cursor: place(asked), hasMore: true, isReset: false };
    };
    server.changePackage(packageId(2), { description: 'Changed' });
    await request(tab, 'pull');
    await until(() => tab.engine.status().phase === 'idle');
    expect(asked).toBeLessThan(most);
    expect(tab.engine.status().lastFailure).toMatchObject({ kind: 'malformed' });
    await expectMirrored(tab, server);
  });
});

describe('a replayed answer', () => {
  it('does not revert people on a package that a pull has updated', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', faults.truncated);
    await enqueue(tab, accept());
    // A new phone number does not change the package's version.
    server.rows.writeUser(server.rows.user(onServer()?.sender.id ?? ''), { phoneNumber: '0809' });
    await request(tab, 'event');
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    await expectMirrored(tab, server);
  });

  it('is done even if its package cannot be read right now', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', faults.truncated);
    // A gateway's 404 while the server restarts.
    server.fail('getPackage', answersStatus(404));
    await enqueue(tab, accept());
    await passTime(60_000);
    expect(await states(tab)).toEqual(['acceptPackage waiting malformed']);
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(1);
    await expectMirrored(tab, server);
  });

  it('21: does not bring back a deleted package during a full list', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('createPackage', faults.truncated);
    await enqueue(tab, create(9));
    server.packages.delete(packageId(9));
    server.rows.forgetCursors();
    server.rows.pageSize.packages = 2;
    const barrier = await requestUntil(tab, 'event', isLaterPage);
    // Due between two pages.
    device.clock.advance(60_000);
    barrier.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    await expectMirrored(tab, server);
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
    await until(() => onServer(9) !== undefined);
    tab.kill();
    // Signed out and in again, which empties the mirror; another user deleted it in between.
    const next = device.openTab();
    await wipeMirror(next.db);
    server.packages.delete(packageId(9));
    server.rows.pageSize.packages = 2;
    // Until the user is mirrored again, the create waits behind the profile.
    await request(next, 'start');
    expect(server.callsOf('createPackage')).toHaveLength(2);
    await passTime(60_000);
    expect(await states(next)).toEqual([]);
    await expectMirrored(next, server);
  });
});

describe('during a full list', () => {
  /** Pulls up to the second page; operations that are due go out before the third. */
  async function midway(server: FakeServer, tab: Tab) {
    server.rows.forgetCursors();
    server.rows.pageSize.packages = 2;
    const pageTo = (end: string) =>
      server.holdNext((call) => isLaterPage(call) && String(call.body).endsWith(end));
    const [second, third] = [pageTo('02'), pageTo('04')];
    tab.engine.request('event');
    await second.reached;
    device.clock.advance(60_000);
    second.release();
    await third.reached;
    return third;
  }

  it('a row created here stays visible until its page arrives, without a conflict', async () => {
    const server = aServer(6);
    const { tab } = await pulled(server);
    server.fail('createPackage', faults.truncated);
    server.fail('pullUsers', faults.html);
    server.fail('patchPackage', faults.truncated);
    const note = (notes: string) => edit({ notes }, { number: 9, baseVersion: 0 });
    await enqueue(tab, create(9), note('One'), note('Two'));
    const page = await midway(server, tab);
    // The create is acknowledged; the first edit is applied, and its answer was lost.
    expect(await states(tab)).toEqual(['editPackage waiting malformed', 'editPackage waiting']);
    expect(await mirrored(tab, 9)).toMatchObject({ version: 1 });
    page.release();
    await settled();
    expect(await mirrored(tab, 9)).toMatchObject({ notes: 'One' });
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    expect(onServer(9)).toMatchObject({ notes: 'Two' });
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
    expect(await mirrored(tab, 9)).toMatchObject({ notes: 'Theirs' });
    // Resolved with that row shown: no longer a conflict.
    await tab.engine.retry(id);
    page.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(onServer(9)).toMatchObject({ notes: 'Mine' });
  });
});

it('a page requested before a sign-out does not write into the mirror emptied since', async () => {
  const { server, tab } = await pulled(aServer(3));
  server.changePackage(packageId(2), { notes: 'New' });
  const barrier = await requestUntil(tab, 'event', 'pullPackages');
  // In another tab, which had stopped its engine first.
  const other = device.openTab();
  await wipeMirror(other.db);
  barrier.release();
  await settled();
  await passTime(60_000);
  // The whole list from its start, not the one changed row.
  await expectMirrored(other, server);
  expect(tab.faults).toEqual([]);
});

describe('after the server was restored from a backup', () => {
  /** The phone has version 5 of three packages, the server's backup version 1. */
  async function restored() {
    const { server, tab } = await pulled(aServer(3));
    const numbers = [1, 2, 3];
    for (const notes of ['1', '2', '3', '4']) {
      for (const number of numbers) server.changePackage(packageId(number), { notes });
    }
    await request(tab, 'pull');
    for (const number of numbers) {
      const id = packageId(number);
      const row = aPackage({ id, packageId: `KY-00000${number}`, description: 'restored' });
      server.packages.set(id, row);
    }
    server.rows.forgetCursors();
    return { server, tab };
  }

  it("the phone shows the server's state, including older versions", async () => {
    const { server, tab } = await restored();
    await request(tab, 'pull');
    await expectMirrored(tab, server);
  });

  it('a later, stale page does not revert operations acknowledged since the list began', async () => {
    const { server, tab } = await restored();
    server.rows.pageSize.packages = 1;
    const page = server.rows.packagePage.bind(server.rows);
    const stale = onServer(3);
    server.rows.packagePage = (...call) => {
      const made = page(...call);
      return {
        ...made,
        rows: made.rows.map((row) => (stale && row.id === stale.id ? stale : row)),
      };
    };
    const first = await requestUntil(tab, 'pull', 'pullPackages');
    await tab.engine.enqueue(accept(3));
    first.release();
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(await mirrored(tab, 3)).toMatchObject({ status: 'in-transit' });
  });
});
