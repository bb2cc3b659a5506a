import { describe, expect, it } from 'vitest';
import type { SyncEvent } from '#sync/engine.ts';
import { aPackage, ids, party } from '#tests/builders/package.ts';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
import {
  accept,
  aServer,
  closeDevices,
  create,
  deliver,
  device,
  edit,
  enqueue,
  goOnline,
  me,
  offline,
  packageId,
  passTime,
  pulled,
  remove,
  request,
  settled,
  states,
  type Tab,
} from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

function view(tab: Tab, number = 1) {
  return readPackageView(tab.db, packageId(number), me);
}

function refusedIn(events: SyncEvent[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'refused' ? [`${event.operation.name} ${event.operation.lastError?.code}`] : [],
  );
}

describe('a refusal', () => {
  it('counts every attempt of a retried operation, and keeps its creation time', async () => {
    const { server, tab } = await pulled();
    server.changePackage(packageId(1), { courier: party(ids.otherCourier), status: 'in-transit' });
    const { createdAt } = await enqueue(tab, accept());
    for (let times = 0; times < 2; times += 1) {
      const [row] = await tab.db.outbox.toArray();
      await tab.engine.retry(row?.id ?? '');
      await settled();
    }
    const [row] = await tab.db.outbox.toArray();
    expect(row).toMatchObject({ state: 'attention', tries: 1, triesBefore: 2, createdAt });
  });

  it('19: moves the operation and those behind it from the overlay to attention', async () => {
    const { server, tab } = await offline(aServer(2));
    await tab.engine.enqueue(accept());
    await tab.engine.enqueue(deliver());
    await tab.engine.enqueue(accept(2));
    expect(await view(tab)).toMatchObject({ status: 'delivered', mark: 'waiting' });
    await settled();
    server.isReachable = true;
    const rival = party(ids.otherCourier, 'Bala');
    server.changePackage(packageId(1), { courier: rival, status: 'in-transit' });
    await request(tab, 'online');
    expect(await states(tab)).toEqual([
      'acceptPackage attention already_assigned',
      'deliverPackage attention depends_on_refused',
    ]);
    expect(refusedIn(tab.events)).toEqual([
      'acceptPackage already_assigned',
      'deliverPackage depends_on_refused',
    ]);
    const [accepted] = await tab.db.outbox.toArray();
    expect(accepted?.lastError).toMatchObject({
      message: 'This package has already been assigned',
      status: 409,
    });
    // The server's state, from the pull that follows a refusal; the other package was sent.
    expect(await view(tab)).toMatchObject({ courier: rival, mark: 'attention', version: 2 });
    expect(await view(tab, 2)).toMatchObject({ status: 'in-transit', mark: 'none' });
  });

  it("includes the server's row if the server sent one", async () => {
    const { server, tab } = await pulled();
    const current = aPackage({ id: packageId(1), version: 9, description: 'Theirs' });
    server.fail('patchPackage', { ...answers('conflict'), when: 'before', current });
    server.fail('pullUsers', faults.droppedBefore, 9);
    await enqueue(tab, edit({ description: 'Mine' }, { baseVersion: 1 }));
    expect(await view(tab)).toMatchObject({ description: 'Theirs', version: 9 });
  });

  it('of a delete whose package is already gone counts as success', async () => {
    const { server, tab } = await offline();
    await enqueue(tab, remove());
    server.isReachable = true;
    server.packages.delete(packageId(1));
    await request(tab, 'online');
    expect(await states(tab)).toEqual([]);
    expect(await view(tab)).toBeNull();
  });

  it.each([404, 410])("of a delete is a %i that is not the server's own answer", async (status) => {
    const { server, tab } = await pulled();
    server.fail('deletePackage', answersStatus(status));
    await enqueue(tab, remove());
    expect(await states(tab)).toEqual(['deletePackage attention http']);
    expect(await view(tab)).toMatchObject({ mark: 'attention' });
  });

  it('18: of an edit of a deleted package is left to the user, and the row disappears', async () => {
    const { server, tab } = await offline();
    await enqueue(tab, edit({ description: 'Mine' }, { baseVersion: 1 }));
    server.isReachable = true;
    server.packages.delete(packageId(1));
    await request(tab, 'online');
    expect(await states(tab)).toEqual(['editPackage attention not_found']);
    expect(await view(tab)).toBeNull();
  });

  it('16: stays visible with its reason until the user decides', async () => {
    const { server, tab } = await pulled();
    const rival = party(ids.otherCourier, 'Bala');
    server.changePackage(packageId(1), { courier: rival, status: 'in-transit' });
    const { id } = await enqueue(tab, accept());
    await request(tab, 'focus');
    await passTime(3_600_000);
    tab.kill();
    const next = device.openTab();
    expect(await states(next)).toEqual(['acceptPackage attention already_assigned']);
    expect(await view(next)).toMatchObject({ courier: rival, mark: 'attention' });
    await next.engine.discard(id);
    expect(await states(next)).toEqual([]);
    expect(await view(next)).toMatchObject({ mark: 'none' });
  });
});

describe('the user decides', () => {
  async function refused() {
    const { server, tab } = await pulled();
    server.fail('createPackage', answers('invalid_fields'));
    const first = await tab.engine.enqueue(create(7));
    await enqueue(tab, edit({ notes: 'Fragile' }, { number: 7, baseVersion: 0 }));
    expect(await states(tab)).toEqual([
      'createPackage attention invalid_fields',
      'editPackage attention depends_on_refused',
    ]);
    return { server, tab, first };
  }

  it('to retry: the operation is sent again with its dependents, under new ids', async () => {
    const { server, tab, first } = await refused();
    await tab.engine.retry(first.id);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(await view(tab, 7)).toMatchObject({ notes: 'Fragile', mark: 'none' });
    const keys = server.calls.filter((call) => call.name === 'createPackage').map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  it('to retry a conflicting edit: on the row shown now', async () => {
    const { server, tab } = await pulled();
    server.changePackage(packageId(1), { description: 'Theirs' });
    const { id } = await enqueue(tab, edit({ description: 'Mine' }, { baseVersion: 1 }));
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    await tab.engine.retry(id);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Mine');
  });

  it('to retry behind later decisions, so that nothing is overtaken', async () => {
    const { server, tab } = await pulled();
    server.fail('patchPackage', answers('forbidden'));
    const { id } = await enqueue(tab, edit({ notes: 'One' }));
    server.isReachable = false;
    await tab.engine.enqueue(edit({ notes: 'Two' }));
    await tab.engine.retry(id);
    await settled();
    await goOnline(tab);
    expect(server.packages.get(packageId(1))?.notes).toBe('One');
    expect(server.effects).toHaveLength(2);
  });

  it('to discard: it and its dependents are removed, a later refusal is not', async () => {
    const { server, tab, first } = await refused();
    server.fail('patchPackage', answers('not_found'));
    await enqueue(tab, edit({ notes: 'Later' }, { number: 7 }));
    await tab.engine.discard(first.id);
    expect(await states(tab)).toEqual(['editPackage attention not_found']);
  });

  it('never about waiting operations: they are neither retried nor discarded', async () => {
    const { tab } = await offline();
    const { id } = await enqueue(tab, accept());
    await tab.engine.discard(id);
    await tab.engine.retry(id);
    expect((await tab.db.outbox.toArray()).map((row) => row.id)).toEqual([id]);
  });
});
