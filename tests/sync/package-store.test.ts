/** The package store: what it reads and keeps, and that it always equals a read from scratch. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { restoreClockOffset } from '#api/server-time.ts';
import { roles } from '#contract/user.ts';
import { openPackageStore, type PackageStore, type StoreState } from '#data/package-store.ts';
import { UserDatabase } from '#db/user-database.ts';
import { wipeMirror } from '#db/wipe.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import {
  acknowledge,
  addOperation,
  backOffOperation,
  discardOperation,
  refuseOperation,
  retryOperation,
} from '#sync/outbox/outbox.ts';
import { putRows } from '#sync/pull/mirror.ts';
import { aPackage, aUser } from '#tests/builders/package.ts';
import { createFakeClock } from '#tests/fakes/browser.ts';
import { accept, create, deliver, edit, editProfile, me, packageId, remove } from './device.ts';
import { readOperations, readPackageViews } from './views.ts';

const userInfo = {
  id: me.id,
  email: me.email ?? '',
  roles: ['Employee' as const],
  firstName: me.firstName,
  lastName: me.lastName,
};
const error = {
  code: 'conflict',
  message: 'No.',
  status: 409,
  at: '2026-11-21T10:00:00.000Z',
};
const fence = 1;

const engineOf = (db: UserDatabase) => ({ db, fence, ports: {}, unstored: new Map() });
const backoff = { fromMs: 0, untilMs: 1, isServerRequested: false };

let names = 0;
const closing: (() => void)[] = [];

function closeAll(): void {
  for (const close of closing.splice(0)) close();
}
afterEach(() => {
  closeAll();
  restoreClockOffset(0);
});

/** A separate database over two connections: `db` writes, the store reads. */
async function opened(rows: readonly Package[] = []) {
  names += 1;
  const name = `store-${names}`;
  const [db, reader] = [new UserDatabase(name), new UserDatabase(name)];
  await db.lease.put({ key: 'lease', fence, beat: 0 });
  await db.users.put(aUser(me));
  await db.packages.bulkPut([...rows]);
  const clock = createFakeClock();
  const store = openPackageStore({ db: reader, userInfo, clock, pauseMs: 0 });
  const states: StoreState[] = [];
  store.subscribe(() => states.push(store.state()));
  closing.push(() => {
    store.close();
    db.close();
    reader.close();
  });
  return { db, reader, store, states, clock };
}

it('what waits is told by the server’s time, also once it is known later', async () => {
  const { db, store, clock } = await opened();
  const stamp = { id: 'operation', nowMs: clock.now() };
  await addOperation(db, create(1), stamp);
  await store.settled();
  const atOf = () => [
    store.view(packageId(1))?.createdAt,
    store.state().operations?.[0]?.createdAt,
  ];
  const at = new Date(stamp.nowMs).toISOString();
  expect(atOf()).toEqual([at, at]);
  restoreClockOffset(2 * 3_600_000);
  await store.settled();
  const right = new Date(stamp.nowMs - 2 * 3_600_000).toISOString();
  expect(atOf()).toEqual([right, right]);
  // By it the screens know the operation again.
  expect(store.state().operations?.[0]?.phoneTime).toBe(at);
  // What is sent is what the phone said.
  expect((await readOperations(db))[0]?.createdAt).toBe(at);
});

function numbered(number: number, changes: Partial<Package> = {}): Package {
  const minute = String(number % 60).padStart(2, '0');
  const hour = String(Math.floor(number / 60)).padStart(2, '0');
  const createdAt = `2026-11-20T${hour}:${minute}:00.000Z`;
  return aPackage({ id: packageId(number), createdAt, ...changes });
}

const rowsTo = (count: number) => Array.from({ length: count }, (_, index) => numbered(index + 1));
const byId = (views: readonly PackageView[] | undefined) =>
  new Map(views?.map((view) => [view.id, view]));

async function insistOnTruth(db: UserDatabase, store: PackageStore) {
  await store.settled();
  const self = (await db.users.get(me.id)) ?? { ...me, phoneNumber: null };
  const { id, firstName, lastName, email, phoneNumber, roles } = self;
  const truth = await readPackageViews(db, { id, firstName, lastName, email, phoneNumber, roles });
  const { views, operations, isWhole, failure } = store.state();
  expect({ isWhole, failure }).toEqual({ isWhole: true, failure: null });
  expect(byId(views)).toEqual(byId(truth));
  const stored = await readOperations(db);
  expect(operations).toEqual(stored.map((one) => ({ ...one, phoneTime: one.createdAt })));
  for (const view of truth) expect(store.view(view.id)).toEqual(view);
}

/** One action of the engine or the user; each is one transaction of the product. */
type Step = { name: string; number: number; times: number };

const stepNames = [
  ...['accept', 'edit', 'deliver', 'remove', 'create', 'profile', 'acknowledge', 'gone', 'backoff'],
  ...['refuse', 'retry', 'discard', 'pull', 'bigPull', 'removed', 'self', 'wipe'],
];
const anyStep: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...stepNames),
  number: fc.integer({ min: 1, max: 4 }),
  times: fc.integer({ min: 1, max: 3 }),
});

let ids = 0;
async function take(db: UserDatabase, { name, number, times }: Step, version: number) {
  const intents = {
    accept,
    deliver,
    remove,
    create,
    edit: (n: number) => edit({ notes: `${version}` }, { number: n }),
  };
  const stamp = { id: `operation-${ids++}`, nowMs: Date.parse('2026-11-21T10:00:00.000Z') };
  if (name in intents) {
    return addOperation(db, intents[name as keyof typeof intents](number), stamp);
  }
  if (name === 'profile') return addOperation(db, editProfile({ firstName: `${version}` }), stamp);
  const operations = await readOperations(db);
  const waiting = operations.find(({ state }) => state === 'waiting');
  const refused = operations.find(({ state }) => state === 'attention');
  const row = numbered(number, { version, notes: `Pulled ${version}` });
  switch (name) {
    case 'acknowledge':
      if (!waiting || waiting.name === 'editProfile') return;
      return acknowledge(engineOf(db), waiting, {
        kind: 'row',
        row: numbered(1, { id: waiting.targetId, version, notes: `Done ${version}` }),
      });
    case 'gone':
      if (!waiting) return;
      return acknowledge(engineOf(db), waiting, {
        kind: 'packageGone',
        id: waiting.targetId,
      });
    case 'backoff':
      if (!waiting) return;
      return backOffOperation(engineOf(db), waiting, error, backoff);
    case 'refuse':
      if (!waiting) return;
      return void (await refuseOperation(engineOf(db), waiting, error, row));
    case 'retry':
      return refused && retryOperation(db, refused.id, () => `operation-${ids++}`);
    case 'discard':
      return refused && discardOperation(db, refused.id);
    case 'pull':
      return void (await putRows(db.packages, [row]));
    case 'bigPull': {
      const many = rowsTo(60 * times).map((one) => ({ ...one, version }));
      return void (await putRows(db.packages, many));
    }
    case 'removed':
      return db.packages.bulkDelete([packageId(number)]);
    case 'self':
      return void (await db.users.put(
        aUser(me, {
          firstName: `Self ${version}`,
          roles: [roles[version % roles.length] ?? 'Customer'],
          version,
        }),
      ));
    case 'wipe':
      await wipeMirror(db);
      // The next holder of the lease.
      await db.lease.put({ key: 'lease', fence, beat: 0 });
      return;
    default:
      throw new Error(`What is ${name}?`);
  }
}

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

  it.each([
    [49, [true]],
    [50, [false, true]],
  ])('reads a mirror of %i packages whole: %j', async (count, whole) => {
    const { db, store, states } = await opened(rowsTo(count));
    await addOperation(db, create(300), { id: 'a', nowMs: 0 });
    await insistOnTruth(db, store);
    expect(states.map(({ isWhole }) => isWhole).slice(0, whole.length)).toEqual(whole);
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
    await backOffOperation(engineOf(db), (await readOperations(db))[1] as never, error, backoff);
    await store.settled();
    expect(store.state().views).toBe(before.views);
    expect(store.state().operations?.[0]).toBe(before.operations?.[0]);
    expect(store.state().operations?.[1]).toMatchObject({ tries: 1 });
    await putRows(db.packages, [numbered(3, { version: 2, notes: 'New' })]);
    await store.settled();
    const [old, fresh] = [byId(before.views), byId(store.state().views)];
    expect(fresh.get(packageId(3))).toMatchObject({ notes: 'New' });
    for (const [id, view] of fresh) if (id !== packageId(3)) expect(view).toBe(old.get(id));
    const unchanged = store.state();
    await putRows(db.packages, rowsTo(100));
    await db.packages.bulkPut(await db.packages.toArray());
    await store.settled();
    expect(store.state()).toEqual(unchanged);
    expect(store.state().views).toBe(unchanged.views);
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
    await acknowledge(engineOf(db), operation, {
      kind: 'row',
      row,
    });
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
    const unchanged = store.state();
    reader.close({ disableAutoOpen: true });
    await putRows(db.packages, [numbered(2, { version: 2, notes: 'Meanwhile' })]);
    await store.settled();
    expect(store.state()).toMatchObject({ failure: { name: 'DatabaseClosedError' } });
    expect(store.state().views).toBe(unchanged.views);
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

  it('equals a read from scratch after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyStep, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
        fc.boolean(),
        // Read at once, or the newest before the rest.
        fc.constantFrom(3, 60),
        async (rounds, isFirstAwaited, count) => {
          const { db, store } = await opened(rowsTo(count));
          if (isFirstAwaited) await store.settled();
          let version = 1;
          for (const steps of rounds) {
            // Those of one round arrive while the store reads the previous one's.
            for (const step of steps) await take(db, step, ++version);
            if (isFirstAwaited) await insistOnTruth(db, store);
          }
          await insistOnTruth(db, store);
          closeAll();
        },
      ),
      { numRuns: 40 },
    );
  });
});
