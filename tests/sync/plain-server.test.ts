/**
 * The product's client and engine before a backend of the specification's table alone, over real
 * HTTP. What it may do in more than one way, it does in each.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApi } from '#api/api.ts';
import { readIsPlain } from '#db/backend.ts';
import { readLastPulledAt } from '#db/queries.ts';
import { UserDatabase } from '#db/user-database.ts';
import type { Intent, OperationArgs } from '#domain/operation.ts';
import { createSyncEngine } from '#sync/engine.ts';
import { createFakeChannels, createFakeClock, createFakeLocks } from '#tests/fakes/browser.ts';
import { type PlainOptions, PlainServer } from '#tests/fakes/plain-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type User = ReturnType<PlainServer['addUser']>;

async function phoneOf(server: PlainServer, user: User) {
  const network = { isUp: true, cookie: '' };
  const ended: string[] = [];
  let token: string | null = null;
  const db = new UserDatabase(user._id);
  const locks = createFakeLocks();
  const api = createApi({
    baseUrl: server.url,
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    locks,
    onSessionEnded: ({ message }) => ended.push(message),
    expectedUserId: () => user._id,
    isPlain: () => readIsPlain(db),
    fetch: async (input, init) => {
      if (!network.isUp) throw new TypeError('fetch failed');
      const request = new Request(input, init);
      if (network.cookie) request.headers.set('cookie', network.cookie);
      const answer = await fetch(request);
      network.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? network.cookie;
      return answer;
    },
  });
  const clock = createFakeClock(Date.now());
  const channel = createFakeChannels()();
  const ports = { api, locks, channel, clock, random: () => 1, newId: () => randomUUID() };
  const engine = createSyncEngine({ db, ports, userId: user._id });
  closing.push(async () => {
    await engine.stop();
    db.close();
  });
  await api.login({ email: user.email, password: user.password });

  /** Until nothing waits and a pull followed. */
  async function synced(): Promise<void> {
    const before = await readLastPulledAt(db);
    clock.advance(1_000);
    engine.request('retry');
    await vi.waitFor(
      async () => {
        const waiting = await db.outbox.filter((row) => row.state === 'waiting').count();
        if (engine.status().phase === 'idle' && waiting > 0) clock.advance(60_000);
        const { phase, lastFailure } = engine.status();
        expect({ phase, waiting, lastFailure }).toEqual({
          phase: 'idle',
          waiting: 0,
          lastFailure: null,
        });
        expect(await readLastPulledAt(db)).not.toBe(before);
      },
      { timeout: 10_000, interval: 10 },
    );
  }
  await synced();
  const refused = async () => {
    const rows = await db.outbox.where('id').above('').toArray();
    return rows.flatMap(({ name, state, lastError }) =>
      state === 'attention' ? `${name}: ${lastError?.message}` : [],
    );
  };
  const rows = () => db.packages.toArray();
  return { api, db, engine, network, ended, synced, refused, rows };
}

async function stage(options: PlainOptions = {}) {
  const server = await new PlainServer(options).start();
  closing.push(() => server.stop());
  const amina = server.addUser('Customer', 'Amina');
  const sani = server.addUser('Employee', 'Sani');
  return { server, amina, sani };
}

type Phone = Awaited<ReturnType<typeof phoneOf>>;

function step(
  name: 'rejectDelivery' | 'deliverPackage' | 'deletePackage',
  targetId: string,
): Intent {
  return { name, targetId, args: {} };
}

function accepting({ _id, firstName, lastName }: User, targetId: string): Intent {
  const courier = { _id, firstName, lastName, email: null, phoneNumber: null };
  return { name: 'acceptPackage', targetId, args: { courier, baseVersion: 0 } };
}

function creating(description: string, more: Partial<OperationArgs<'createPackage'>> = {}): Intent {
  const targetId = randomUUID();
  const args = {
    _id: targetId,
    pickupAddress: '12 Kofar Mata Road',
    deliveryAddress: '4 Zoo Road',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '+2348057654321',
    recipientEmail: null,
    description,
    notes: null,
    pickupDate: '2027-01-22T08:00:00.000Z',
    deliveryDate: null,
    priceOffer: 1500,
    paymentMethod: 'cash' as const,
    ...more,
  };
  return { name: 'createPackage', targetId, args };
}

const editing = (targetId: string, description: string): Intent => ({
  name: 'editPackage',
  targetId,
  args: { changes: { description }, baseVersion: 0 },
});

async function enqueue({ engine }: Phone, ...intents: Intent[]) {
  for (const intent of intents) await engine.enqueue(intent);
}

const ways: PlainOptions[] = [
  {},
  { answers: 'message', people: 'ids', refusals: 'text' },
  { answers: 'nothing', unknownFields: 'ignored' },
];

describe.each(ways)('a day of work before a plain server %o', (options) => {
  it('is done by the calls of its table, each once', async () => {
    const { server, amina, sani } = await stage(options);
    const sender = await phoneOf(server, amina);
    const courier = await phoneOf(server, sani);

    sender.network.isUp = false;
    const create = creating('Cloth', { notes: 'Ring twice', handover: 'code' });
    await enqueue(sender, create, editing(create.targetId, 'Two bolts'), creating('Shoes'));
    sender.network.isUp = true;
    await sender.synced();
    expect(await sender.refused()).toEqual([]);
    const made = await sender.rows();
    expect(made.map(({ description }) => description).sort()).toEqual(['Shoes', 'Two bolts']);
    expect(made.map(({ id }) => server.packages.has(id))).toEqual([true, true]);
    const [cloth, shoes] = ['Two bolts', 'Shoes'].map(
      (text) => made.find(({ description }) => description === text)?.id ?? '',
    ) as [string, string];
    expect(server.heard.find(({ path }) => path === '/api/packages')?.body).toMatchObject({
      description: 'Cloth\nRing twice',
      senderId: amina._id,
    });

    await courier.synced();
    courier.network.isUp = false;
    await enqueue(courier, accepting(sani, cloth), step('deliverPackage', cloth));
    await enqueue(courier, accepting(sani, shoes), step('rejectDelivery', shoes));
    courier.network.isUp = true;
    const before = server.heard.length;
    await courier.synced();
    expect(await courier.refused()).toEqual([]);
    const sent = server.heard.slice(before).map(({ path, body }) => [path.split('/').at(-1), body]);
    expect(sent.filter(([id]) => id === cloth).map(([, body]) => body)).toEqual([
      { deliveryPersonId: sani._id, deliveryStatus: 'In Transit' },
      { deliveryStatus: 'Delivered' },
    ]);
    expect(sent.filter(([id]) => id === shoes).map(([, body]) => body)).toEqual([
      { deliveryPersonId: sani._id, deliveryStatus: 'In Transit' },
      { deliveryPersonId: null, deliveryStatus: 'Pending' },
    ]);

    await sender.synced();
    await enqueue(sender, step('deletePackage', shoes), {
      name: 'editProfile',
      targetId: amina._id,
      args: { changes: { address: '9 Zoo Road' }, baseVersion: 0 },
    });
    await sender.synced();
    expect((await sender.rows()).map(({ id, status }) => [id, status])).toEqual([
      [cloth, 'delivered'],
    ]);
    expect((await sender.db.users.get(amina._id))?.address).toBe('9 Zoo Road');
    expect(server.changes()).toHaveLength(9);
  });

  it.each([
    'POST',
    'PATCH',
    'DELETE',
  ])('a lost answer to a %s is found again, and not sent twice', async (method) => {
    const { server, amina, sani } = await stage(options);
    const twin = creating('Rice');
    const known = server.addPackage(amina._id, { description: 'Beans' });
    const sender = await phoneOf(server, amina);
    // The same again, on purpose: what was there before is not taken for it.
    await enqueue(sender, twin);
    await sender.synced();
    const courier = method === 'PATCH' ? await phoneOf(server, sani) : sender;
    server.failNext(method, /packages/);
    const intents = {
      POST: [creating('Rice')],
      PATCH: [accepting(sani, known._id), step('deliverPackage', known._id)],
      DELETE: [step('deletePackage', known._id)],
    };
    const before = server.changes().length;
    await enqueue(courier, ...(intents[method as 'POST'] ?? []));
    await courier.synced();
    expect(await courier.refused()).toEqual([]);
    expect(server.changes().slice(before)).toHaveLength(method === 'PATCH' ? 2 : 1);
    await sender.synced();
    expect(await sender.rows()).toHaveLength(server.packages.size);
    expect(server.packages.size).toBe({ POST: 3, PATCH: 2, DELETE: 1 }[method]);
  });

  it('what it refuses, or another courier has, is said in words and changes nothing', async () => {
    const { server, amina, sani } = await stage(options);
    const musa = server.addUser('Employee', 'Musa');
    const [taken, odd] = [server.addPackage(amina._id), server.addPackage(amina._id)];
    const courier = await phoneOf(server, sani);
    courier.network.isUp = false;
    await enqueue(courier, accepting(sani, taken._id), accepting(sani, odd._id));
    Object.assign(taken, { deliveryPersonId: musa._id, deliveryStatus: 'in_transit' });
    server.failNext('PATCH', /packages/, 422);
    courier.network.isUp = true;
    await courier.synced();
    expect((await courier.refused()).sort()).toEqual([
      'acceptPackage: Not today',
      'acceptPackage: This package has already been assigned',
    ]);
    expect(server.packages.get(taken._id)?.deliveryPersonId).toBe(musa._id);
  });
});

describe('rows of a plain server', () => {
  it('are read whatever they lack; one that cannot be read hides no other', async () => {
    const { server, amina } = await stage();
    const odd: Record<string, unknown>[] = [
      { description: 'No method', paymentMethod: undefined },
      { description: 'No status', deliveryStatus: undefined },
      { description: 'Spelt', deliveryStatus: 'IN_TRANSIT', paymentMethod: 'CASH' },
      { description: 'As text', priceOffer: '2500', deliveryDate: '' },
      { description: 'Nobody', senderId: 'nobody' },
      { description: 'Too much', priceOffer: 1e300 },
    ];
    for (const fields of odd) server.addPackage(amina._id, fields);
    const { rows } = await phoneOf(server, amina);
    const read = (await rows()).map(({ description, paymentMethod, status, priceOfferKobo }) =>
      [description, paymentMethod, status, priceOfferKobo].join(),
    );
    expect(read.sort()).toEqual([
      'As text,cash,pending,250000',
      'No method,,pending,150000',
      'No status,cash,pending,150000',
      'Nobody,cash,pending,150000',
      'Spelt,cash,in-transit,150000',
    ]);
  });

  it('replace the mirror: what is gone there is gone here', async () => {
    const { server, amina } = await stage();
    const row = server.addPackage(amina._id);
    const phone = await phoneOf(server, amina);
    server.packages.delete(row._id);
    server.addPackage(amina._id, { description: 'New' });
    await phone.synced();
    expect((await phone.rows()).map(({ description }) => description)).toEqual(['New']);
  });

  it('are listed where the list of users is refused', async () => {
    const { server, amina } = await stage();
    server.addPackage(amina._id);
    server.failNext('GET', /users/, 403);
    server.failNext('GET', /users/, 403);
    const phone = await phoneOf(server, amina);
    expect(await phone.rows()).toHaveLength(1);
  });
});

describe('a session with a plain server', () => {
  it('is refreshed once and goes on', async () => {
    const { server, amina } = await stage();
    const phone = await phoneOf(server, amina);
    server.expire();
    await enqueue(phone, creating('Rice'));
    await phone.synced();
    expect([phone.ended, server.packages.size]).toEqual([[], 1]);
  });

  it('is over when the refresh is refused; the queue is kept', async () => {
    const { server, amina } = await stage();
    const phone = await phoneOf(server, amina);
    server.expire(true);
    await enqueue(phone, creating('Rice'));
    await vi.waitFor(() => {
      expect(phone.ended).toEqual(['Your login has expired. Please log in again.']);
    });
    expect(await phone.db.outbox.count()).toBe(1);
  });

  it('says in its own words what it refuses, and needs no body where it agrees', async () => {
    const { server, amina } = await stage({ answers: 'nothing' });
    const { api } = await phoneOf(server, amina);
    server.failNext('PATCH', /users/, 400);
    const body = { id: amina._id, password: 'another1' };
    await expect(api.patchUser(body, 'a')).rejects.toMatchObject({ message: 'Not today' });
    await expect(api.patchUser(body, 'a')).resolves.toMatchObject({ id: amina._id });
    await expect(api.deleteUser(amina._id, 'b')).resolves.toBeNull();
    server.failNext('POST', /logout/, 500);
    await expect(api.logout()).rejects.toMatchObject({ message: 'Not today' });
    await expect(api.logout()).resolves.toBeUndefined();
  });

  it('pays in and verifies', async () => {
    const { server, amina } = await stage();
    const { api } = await phoneOf(server, amina);
    const { reference } = await api.initiatePayment({ email: amina.email, amount: 500 }, 'k');
    expect(await api.verifyPayment(reference)).toMatchObject({ depositedAmount: 0 });
    expect(await api.verifyPayment(reference)).toMatchObject({ reference, depositedAmount: 500 });
  });
});
