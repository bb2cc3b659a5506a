/** The package store: order of reads, what it keeps, and failing storage. */
import { afterEach, describe, expect, it } from 'vitest';
import { openPackageStore, type StoreState } from '#data/package-store.ts';
import { UserDatabase } from '#db/user-database.ts';
import { acknowledge, addOperation, backOffOperation } from '#sync/outbox/outbox.ts';
import { putRows } from '#sync/pull/mirror.ts';
import { aUser } from '#tests/builders/package.ts';
import { createFakeClock } from '#tests/fakes/fake-clock.ts';
import { accept, create, me, packageId } from './device.ts';
import {
  byId,
  closeAll,
  error,
  fence,
  insistOnTruth,
  numbered,
  opened,
  rowsTo,
  userInfo,
} from './store-stage.ts';
import { readOperations } from './views.ts';

afterEach(closeAll);

describe('the store of packages', () => {
  it('shows the newest first, then all', async () => {
    const { store, states } = await opened(rowsTo(200));
    expect(store.state()).toMatchObject({ views: undefined, operations: undefined });
    await store.settled();
    const [first, second, ...more] = states;
    expect(first).toMatchObject({ isWhole: false, operations: [] });
    expect(first?.views?.map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, index) => packageId(200 - index)),
    );
    expect(second?.isWhole).toBe(true);
    expect(second?.views).toHaveLength(200);
    expect(more).toEqual([]);
  });

  it('starts with rows created here, and always with the operations on what it shows', async () => {
    const { db, reader } = await opened(rowsTo(120));
    await addOperation(db, create(300), { id: 'a', nowMs: 0 });
    await addOperation(db, accept(120), { id: 'b', nowMs: 0 });
    await addOperation(db, accept(1), { id: 'c', nowMs: 0 });
    const store = openPackageStore({ db: reader, userInfo, clock: createFakeClock(), pauseMs: 0 });
    const states: StoreState[] = [];
    store.subscribe(() => states.push(store.state()));
    await store.settled();
    store.close();
    const first = byId(states[0]?.views);
    expect(first.size).toBe(51);
    expect(first.get(packageId(300))).toMatchObject({ mark: 'waiting', packageId: '' });
    expect(first.get(packageId(120))).toMatchObject({ mark: 'waiting', isAcceptRequested: true });
    expect(states[0]?.operations).toHaveLength(3);
    expect(byId(states[1]?.views).get(packageId(1))).toMatchObject({ isAcceptRequested: true });
  });

  it('reads a requested package before all others', async () => {
    const { store, states } = await opened(rowsTo(200));
    const seen: unknown[] = [];
    store.subscribe(() => seen.push([store.view(packageId(1))?.id, store.view('nowhere')]));
    expect(store.view(packageId(1))).toBeUndefined();
    store.look(packageId(1));
    store.look('nowhere');
    await store.settled();
    expect(seen).toEqual([
      [undefined, undefined],
      [packageId(1), null],
      [packageId(1), null],
    ]);
    expect(states.map(({ isWhole }) => isWhole)).toEqual([false, false, true]);
  });

  it('keeps the identity of unchanged objects', async () => {
    const { db, store } = await opened(rowsTo(100));
    await addOperation(db, accept(1), { id: 'a', nowMs: 0 });
    await addOperation(db, accept(2), { id: 'b', nowMs: 0 });
    await store.settled();
    const before = store.state();
    await backOffOperation({ db, fence }, (await readOperations(db))[1] as never, error, {
      ...{ fromMs: 0, untilMs: 1, isServerRequested: false },
    });
    await store.settled();
    expect(store.state().views).toBe(before.views);
    expect(store.state().operations?.[0]).toBe(before.operations?.[0]);
    expect(store.state().operations?.[1]).toMatchObject({ tries: 1 });
    await putRows(db.packages, [numbered(3, { version: 2, notes: 'New' })]);
    await store.settled();
    const [old, fresh] = [byId(before.views), byId(store.state().views)];
    expect(fresh.get(packageId(3))).toMatchObject({ notes: 'New' });
    for (const [id, view] of fresh) if (id !== packageId(3)) expect(view).toBe(old.get(id));
    const calm = store.state();
    await putRows(db.packages, rowsTo(100));
    await db.packages.bulkPut(await db.packages.toArray());
    await store.settled();
    expect(store.state()).toEqual(calm);
    expect(store.state().views).toBe(calm.views);
  });

  it('never shows half an acknowledgement', async () => {
    const { db, store } = await opened(rowsTo(3));
    await addOperation(db, accept(1), { id: 'a', nowMs: 0 });
    await store.settled();
    const seen: unknown[] = [];
    store.subscribe(() => {
      const view = store.view(packageId(1));
      seen.push([view?.status, view?.mark, store.state().operations?.length]);
    });
    const [operation] = await readOperations(db);
    if (!operation) throw new Error('Nothing is queued.');
    const row = numbered(1, { version: 2, courier: me, status: 'in-transit' });
    await acknowledge({ db, fence }, operation, { kind: 'row', row });
    await store.settled();
    expect(seen).toEqual([['in-transit', 'none', 0]]);
  });

  it('updates my own packages when only my user changes', async () => {
    const { db, store } = await opened();
    await addOperation(db, create(7), { id: 'a', nowMs: 0 });
    await store.settled();
    expect(store.view(packageId(7))?.sender.firstName).toBe(me.firstName);
    await db.users.put(aUser(me, { firstName: 'Musa', version: 2 }));
    await store.settled();
    expect(store.view(packageId(7))?.sender.firstName).toBe('Musa');
  });

  it('keeps its contents when the storage fails, reports it and retries', async () => {
    const { reader, db, store, clock } = await opened(rowsTo(3));
    await store.settled();
    const before = store.state();
    reader.close({ disableAutoOpen: true });
    await putRows(db.packages, [numbered(2, { version: 2, notes: 'Meanwhile' })]);
    await store.settled();
    expect(store.state()).toMatchObject({ failure: { name: 'DatabaseClosedError' } });
    expect(store.state().views).toBe(before.views);
    clock.advance(1_000);
    await store.settled();
    expect(clock.pending()).toEqual([2_000]);
    await reader.open();
    clock.advance(2_000);
    await insistOnTruth(db, store);
    expect(store.view(packageId(2))).toMatchObject({ notes: 'Meanwhile' });
    expect(clock.pending()).toEqual([]);
  });

  it('does not spin forever if the storage fails from the start', async () => {
    const db = new UserDatabase('closed-from-the-start');
    db.close({ disableAutoOpen: true });
    const clock = createFakeClock();
    const store = openPackageStore({ db, userInfo, clock, pauseMs: 0 });
    await store.settled();
    expect(store.state()).toMatchObject({ views: undefined, isWhole: false });
    expect(store.state().failure).not.toBeNull();
    await db.open();
    clock.advance(1_000);
    await store.settled();
    expect(store.state()).toMatchObject({ views: [], isWhole: true, failure: null });
    store.close();
    db.close();
  });

  it('emits nothing after it is closed', async () => {
    const { db, store, states } = await opened(rowsTo(3));
    await store.settled();
    const said = states.length;
    store.close();
    await putRows(db.packages, [numbered(2, { version: 2 })]);
    await store.settled();
    expect(states).toHaveLength(said);
  });
});
