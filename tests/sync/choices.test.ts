import { describe, expect, it } from 'vitest';
import type { Intent } from '#domain/operation.ts';
import { answers } from '#tests/fakes/fake-server.ts';
import {
  aServer,
  closeDevices,
  create,
  deliver,
  device,
  edit,
  enqueue,
  me,
  offline,
  packageId,
  pulled,
  request,
  settled,
  states,
  type Tab,
} from './device.ts';
import { readPackageView } from './views.ts';

closeDevices();

const view = (tab: Tab, number = 1) => readPackageView(tab.db, packageId(number), me);

/** A refused create for package 7 with two operations behind it. */
async function refusedCreate() {
  const all = await offline();
  const first = await all.tab.engine.enqueue(create(7));
  await all.tab.engine.enqueue(edit({ notes: 'Fragile' }, { number: 7, baseVersion: 0 }));
  await settled();
  all.server.isReachable = true;
  all.server.fail('createPackage', answers('invalid_fields'));
  await request(all.tab, 'online');
  expect(await states(all.tab)).toEqual([
    'createPackage attention invalid_fields',
    'editPackage attention depends_on_refused',
  ]);
  return { ...all, first };
}

function createWith(number: number, description: string): Intent {
  const intent = create(number);
  if (intent.name !== 'createPackage') throw new Error('Not a create.');
  return { ...intent, args: { ...intent.args, description } };
}

describe('replacing a refused operation', () => {
  it('sends the corrected one under a new key, then its dependents', async () => {
    const { server, tab, first } = await refusedCreate();
    const replaced = await tab.engine.replace(first.id, createWith(7, 'Mended'));
    expect(replaced?.id).not.toBe(first.id);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(7))).toMatchObject({
      description: 'Mended',
      notes: 'Fragile',
    });
    const keys = server.calls.filter(({ key }) => key !== '').map(({ key }) => key);
    expect(keys.filter((key) => key === first.id)).toHaveLength(2);
    expect(keys.filter((key) => key === replaced?.id)).toHaveLength(1);
  });

  it('moves the dependents to a package with a new id', async () => {
    const { server, tab, first } = await refusedCreate();
    await tab.engine.replace(first.id, createWith(8, 'Another id'));
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.has(packageId(7))).toBe(false);
    expect(server.packages.get(packageId(8))).toMatchObject({ notes: 'Fragile' });
  });

  it('is atomic: never both operations and never neither, whatever fails', async () => {
    const { tab, first } = await refusedCreate();
    const before = await tab.db.outbox.toArray();
    const failing = () => {
      throw new Error('No room.');
    };
    tab.db.outbox.hook('creating', failing);
    await expect(tab.engine.replace(first.id, createWith(7, 'Mended'))).rejects.toThrow(
      'could not be saved',
    );
    tab.db.outbox.hook('creating').unsubscribe(failing);
    expect(await tab.db.outbox.toArray()).toEqual(before);
  });

  it('happens once, though two tabs replace simultaneously', async () => {
    const { server, tab, first } = await refusedCreate();
    const other = device.openTab();
    const both = await Promise.all([
      tab.engine.replace(first.id, createWith(7, 'From the one')),
      other.engine.replace(first.id, createWith(7, 'From the other')),
    ]);
    expect(both.filter(Boolean)).toHaveLength(1);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.effects.filter((effect) => effect.startsWith('create'))).toHaveLength(1);
  });

  it('refuses another kind of operation or another package', async () => {
    const { server, tab } = await pulled(aServer(2));
    server.fail('patchPackage', answers('forbidden'));
    const { id } = await enqueue(tab, edit({ notes: 'One' }));
    for (const wrong of [edit({ notes: 'One' }, { number: 2 }), deliver()]) {
      await expect(tab.engine.replace(id, wrong)).rejects.toThrow();
    }
    expect(await states(tab)).toEqual(['editPackage attention forbidden']);
  });
});

/** Two edits of one package, the first in conflict with another user's change. */
async function conflicting(second: Parameters<typeof edit>[0]) {
  const all = await offline();
  const changes = { description: 'Mine', pickupAddress: 'My gate' };
  const first = await all.tab.engine.enqueue(edit(changes, { baseVersion: 1 }));
  await all.tab.engine.enqueue(edit(second, { baseVersion: 1 }));
  await settled();
  all.server.isReachable = true;
  all.server.changePackage(packageId(1), { description: 'Theirs', notes: 'Theirs too' });
  await request(all.tab, 'online');
  const [refused, leaning] = await all.tab.db.outbox.orderBy('seq').toArray();
  expect(refused?.lastError).toMatchObject({ code: 'conflict' });
  expect(Object.keys(refused?.lastError?.fields ?? {})).toEqual(['description']);
  expect(leaning?.lastError).toMatchObject({ code: 'depends_on_refused' });
  expect(leaning?.lastError).not.toHaveProperty('fields');
  return { ...all, first };
}

describe('a conflict', () => {
  it('sends the choice on the version that was shown, which then applies', async () => {
    const { server, tab, first } = await conflicting({ recipientName: 'Ladi' });
    expect(await view(tab)).toMatchObject({ description: 'Theirs', mark: 'attention' });
    const choice = edit({ pickupAddress: 'My gate', description: 'Mine' }, { baseVersion: 2 });
    await tab.engine.replace(first.id, choice);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({
      description: 'Mine',
      pickupAddress: 'My gate',
      recipientName: 'Ladi',
      notes: 'Theirs too',
    });
  });

  it('is shown again if the row changes during the choice', async () => {
    const { server, tab, first } = await conflicting({ recipientName: 'Ladi' });
    server.changePackage(packageId(1), { description: 'Theirs again' });
    await tab.engine.replace(first.id, edit({ description: 'Mine' }, { baseVersion: 2 }));
    await settled();
    expect((await states(tab))[0]).toBe('editPackage attention conflict');
    expect(server.packages.get(packageId(1))?.description).toBe('Theirs again');
  });

  it('accepts theirs without dropping its dependents', async () => {
    const { server, tab, first } = await conflicting({ recipientName: 'Ladi' });
    expect(await tab.engine.acceptTheirs(first.id)).toBe(true);
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))).toMatchObject({
      description: 'Theirs',
      recipientName: 'Ladi',
    });
    expect(await tab.engine.acceptTheirs(first.id)).toBe(false);
  });

  it.each([
    ['is resolved as theirs', (tab: Tab, id: string) => tab.engine.acceptTheirs(id)],
    [
      'is resolved for another field',
      (tab: Tab, id: string) =>
        tab.engine.replace(id, edit({ pickupAddress: 'My gate' }, { baseVersion: 2 })),
    ],
  ])('that %s keeps later edits from overwriting their change', async (_, decide) => {
    const { server, tab, first } = await conflicting({ description: 'Mine, later' });
    await decide(tab, first.id);
    await settled();
    expect(await states(tab)).toEqual(['editPackage attention conflict']);
    expect(server.packages.get(packageId(1))?.description).toBe('Theirs');
  });

  it('resolved with mine sends the later edit of the same field', async () => {
    const { server, tab, first } = await conflicting({ description: 'Mine, later' });
    await tab.engine.replace(first.id, edit({ description: 'Mine' }, { baseVersion: 2 }));
    await settled();
    expect(await states(tab)).toEqual([]);
    expect(server.packages.get(packageId(1))?.description).toBe('Mine, later');
  });

  it('cannot be resolved with theirs for anything but an edit', async () => {
    const { tab, first } = await refusedCreate();
    await expect(tab.engine.acceptTheirs(first.id)).rejects.toThrow();
    expect(await states(tab)).toHaveLength(2);
  });
});
