/** Refused operations: what the user sees, and what their decision sends. */
import { describe, expect, it } from 'vitest';
import { wipeMirror } from '#db/wipe.ts';
import type { SyncEvent } from '#sync/engine.ts';
import { aPackage, ids, party } from '#tests/builders/package.ts';
import { answers, answersStatus, type FakeServer, faults } from '#tests/fakes/fake-server.ts';
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
  mirrored,
  offline,
  onServer,
  packageId,
  passTime,
  pulled,
  remove,
  request,
  settled,
  shown,
  states,
  type Tab,
} from './device.ts';

closeDevices();

const rival = party(ids.otherCourier, 'Bala');

/** Another courier was faster. */
const acceptElsewhere = (server: FakeServer) =>
  server.changePackage(packageId(1), { courier: rival, status: 'in-transit' });

function refusedIn(events: SyncEvent[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'refused' ? [`${event.operation.name} ${event.operation.lastError?.code}`] : [],
  );
}

/** Retries what is first in the outbox. */
async function retryFirst(tab: Tab) {
  const [row] = await tab.db.outbox.orderBy('seq').toArray();
  await tab.engine.retry(row?.id ?? '');
  await settled();
}

describe('a refusal', () => {
  it('counts every attempt of a retried operation, and keeps its creation time', async () => {
    const { server, tab } = await pulled();
    acceptElsewhere(server);
    const { createdAt } = await enqueue(tab, accept());
    await retryFirst(tab);
    await retryFirst(tab);
    const [row] = await tab.db.outbox.toArray();
    expect(row).toMatchObject({ state: 'attention', tries: 1, triesBefore: 2, createdAt });
  });

  it('16, 19: moves the operation and those behind it to attention, until the user decides', async () => {
    const { server, tab } = await offline(aServer(2));
    const { id } = await tab.engine.enqueue(accept());
    await enqueue(tab, deliver(), accept(2));
    expect(await shown(tab)).toMatchObject({ status: 'delivered', mark: 'waiting' });
    acceptElsewhere(server);
    await goOnline(tab);
    const refused = ['acceptPackage already_assigned', 'deliverPackage depends_on_refused'];
    expect(refusedIn(tab.events)).toEqual(refused);
    const message = 'This package has already been assigned';
    const [accepted] = await tab.db.outbox.toArray();
    expect(accepted?.lastError).toMatchObject({ message, status: 409 });
    await passTime(3_600_000);
    tab.kill();
    const next = device.openTab();
    expect(await states(next)).toEqual(refused.map((text) => text.replace(' ', ' attention ')));
    // The server's state, from the pull that follows a refusal; the other package was sent.
    expect(await shown(next)).toMatchObject({ courier: rival, mark: 'attention', version: 2 });
    expect(await shown(next, 2)).toMatchObject({ status: 'in-transit', mark: 'none' });
    await next.engine.discard(id);
    expect(await states(next)).toEqual([]);
    expect(await shown(next)).toMatchObject({ mark: 'none' });
  });

  it("includes the server's row if the server sent one", async () => {
    const { server, tab } = await pulled();
    const current = aPackage({ id: packageId(1), version: 9, description: 'Theirs' });
    server.fail('patchPackage', { ...answers('conflict'), current });
    server.fail('pullUsers', faults.droppedBefore, 9);
    await enqueue(tab, edit({ description: 'Mine' }, { baseVersion: 1 }));
    expect(await shown(tab)).toMatchObject({ description: 'Theirs', version: 9 });
  });

  it.each([
    [
      '18: of an edit is left to the user',
      edit({ notes: 'A' }),
      ['editPackage attention not_found'],
    ],
    ['of a delete counts as success', remove(), []],
  ])('%s if the package is gone, and the row disappears', async (_, intent, left) => {
    const { server, tab } = await offline();
    await enqueue(tab, intent);
    server.packages.delete(packageId(1));
    await goOnline(tab);
    expect(await states(tab)).toEqual(left);
    expect(await shown(tab)).toBeNull();
  });

  it.each([404, 410])("of a delete is a %i that is not the server's own answer", async (status) => {
    const { server, tab } = await pulled();
    server.fail('deletePackage', answersStatus(status));
    await enqueue(tab, remove());
    expect(await states(tab)).toEqual(['deletePackage attention http']);
    expect(await shown(tab)).toMatchObject({ mark: 'attention' });
  });
});

describe('a refusal by an intermediary', () => {
  it('is retried as the same request, since it may have been applied', async () => {
    const { server, tab } = await pulled();
    server.fail('createPackage', faults.truncated);
    server.fail('createPackage', answersStatus(403));
    const { id } = await enqueue(tab, create(7));
    await passTime(60_000);
    expect(await states(tab)).toEqual(['createPackage attention http']);
    await retryFirst(tab);
    expect(server.callsOf('createPackage').map(({ key }) => key)).toEqual([id, id, id]);
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toEqual([`createPackage ${packageId(7)}`]);
  });

  it.each([
    ['retried', (tab: Tab, id: string) => tab.engine.retry(id)],
    ['resolved as theirs', (tab: Tab, id: string) => tab.engine.acceptTheirs(id)],
    ['replaced', (tab: Tab, id: string) => tab.engine.replace(id, edit({ notes: 'Else' }))],
  ])('stays in doubt behind another that is %s', async (_, decide) => {
    const { server, tab } = await pulled();
    // Applied; an intermediary answers with a refusal.
    server.fail('patchPackage', { ...answersStatus(403), when: 'after' });
    const { id } = await enqueue(tab, edit({ description: 'Mine' }));
    server.isReachable = false;
    const first = await tab.engine.enqueue(edit({ notes: 'Mine' }));
    await tab.engine.retry(id);
    await settled();
    server.isReachable = true;
    server.fail('patchPackage', answers('invalid_fields'));
    await request(tab, 'online');
    expect(await states(tab)).toEqual([
      'editPackage attention invalid_fields',
      'editPackage attention depends_on_refused',
    ]);
    server.changePackage(packageId(1), { description: 'Theirs' });
    await decide(tab, first.id);
    await request(tab, 'online');
    expect(await states(tab)).toEqual([]);
    // Not applied twice, which would overwrite another user's later change.
    expect(onServer()?.description).toBe('Theirs');
    const bodies = server.mutations().flatMap(({ key, body }) => (key === id ? [body] : []));
    expect(bodies).toEqual(bodies.map(() => bodies[0]));
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
    const { server, tab } = await refused();
    await retryFirst(tab);
    expect(await states(tab)).toEqual([]);
    expect(await shown(tab, 7)).toMatchObject({ notes: 'Fragile', mark: 'none' });
    expect(new Set(server.callsOf('createPackage').map(({ key }) => key)).size).toBe(2);
  });

  it('to retry a conflicting edit: on the row shown now', async () => {
    const { server, tab } = await pulled();
    server.changePackage(packageId(1), { description: 'Theirs' });
    await enqueue(tab, edit({ description: 'Mine' }, { baseVersion: 1 }));
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    await retryFirst(tab);
    expect(await states(tab)).toEqual([]);
    expect(onServer()?.description).toBe('Mine');
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
    expect(onServer()?.notes).toBe('One');
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
    expect(await tab.db.outbox.toArray()).toMatchObject([{ id }]);
  });
});

describe('an accept', () => {
  it('does not apply to terms changed before it arrived, and asks again until they stay', async () => {
    const { server, tab } = await offline();
    await enqueue(tab, accept(1, 1));
    server.changePackage(packageId(1), { pickupAddress: 'Another town' });
    await goOnline(tab);
    expect(await states(tab)).toEqual(['acceptPackage attention conflict']);
    const [row] = await tab.db.outbox.toArray();
    expect(Object.keys(row?.lastError?.fields ?? {})).toEqual(['pickupAddress']);
    // The pull has brought the new address.
    expect(await shown(tab)).toMatchObject({ pickupAddress: 'Another town', courier: null });
    server.changePackage(packageId(1), { deliveryAddress: 'Far away' });
    await retryFirst(tab);
    expect(await states(tab)).toEqual(['acceptPackage attention conflict']);
    await retryFirst(tab);
    expect(await states(tab)).toEqual([]);
    expect(onServer()?.courier).toMatchObject({ id: me.id });
  });

  it('applies if something else changed', async () => {
    const { server, tab } = await offline();
    await enqueue(tab, accept(1, 1));
    server.changePackage(packageId(1), { notes: 'Ring twice' });
    await goOnline(tab);
    expect(await states(tab)).toEqual([]);
    expect(onServer()?.courier).toMatchObject({ id: me.id });
  });
});

/** What the engine sends; the rule itself: tests/unit/field-versions.test.ts. */
describe("one user's own edits", () => {
  const describes = (description: string) => edit({ description }, { baseVersion: 1 });

  it('of one field on one version do not conflict, whatever reply is lost and pull comes between', async () => {
    const { server, tab } = await offline();
    await enqueue(tab, describes('One'), describes('Two'), describes('Three'));
    // Committed with a corrupted reply: no network failure, so the pull runs and brings version 2.
    server.fail('patchPackage', faults.truncated);
    await goOnline(tab);
    expect(await mirrored(tab)).toMatchObject({ version: 2 });
    await passTime(60_000);
    expect(await states(tab)).toEqual([]);
    expect(onServer()).toMatchObject({ description: 'Three', version: 4 });
  });

  it('nor if the second was typed before a sign-out and saved after the next sign-in', async () => {
    const { tab } = await pulled();
    await enqueue(tab, describes('One'));
    await wipeMirror(tab.db);
    await goOnline(tab);
    await enqueue(tab, describes('Two'));
    expect(await states(tab)).toEqual([]);
    expect(onServer()?.description).toBe('Two');
  });

  it('based on a refused one do not silently replace a newer value', async () => {
    const { server, tab } = await offline();
    const first = await tab.engine.enqueue(describes('Mine'));
    await enqueue(tab, edit({ notes: 'Old' }, { baseVersion: 1 }));
    server.changePackage(packageId(1), { description: 'Theirs', notes: 'Theirs' });
    await goOnline(tab);
    await enqueue(tab, edit({ notes: 'New' }, { baseVersion: 2 }));
    expect(onServer()).toMatchObject({ notes: 'New', version: 3 });
    expect(await tab.engine.acceptTheirs(first.id)).toBe(true);
    await settled();
    expect(onServer()?.notes).toBe('New');
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
  });

  it("never overwrite another user's change, and are repeated identically after it", async () => {
    const { server, tab } = await offline();
    await enqueue(tab, describes('Mine'), edit({ notes: 'Mine' }, { baseVersion: 1 }));
    server.changePackage(packageId(1), { notes: 'Theirs' });
    server.fail('patchPackage', faults.html);
    await goOnline(tab);
    expect(await mirrored(tab)).toMatchObject({ notes: 'Theirs' });
    await passTime(60_000);
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(onServer()).toMatchObject({ description: 'Mine', notes: 'Theirs' });
    const [first, ...repeats] = server.mutations().map(({ body }) => JSON.stringify(body));
    expect(repeats.slice(0, 2)).toEqual([first, first]);
  });
});
