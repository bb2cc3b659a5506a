import { randomUUID } from 'node:crypto';
import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { packageSchema, type WirePackage } from '#contract/package.ts';
import { writerText } from '#contract/writer.ts';
import { acceptPackage } from '#server/modules/packages/repository.ts';
import {
  acceptance,
  codeOf,
  fileStage,
  outcomeOf,
  type Person,
  packageBody,
  profile,
  rejection,
} from './stage.ts';

const stage = fileStage();

async function patched(who: Person, pkg: { _id: string }, body: object) {
  const answer = await stage().patch(who, pkg, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** A new package of a new sender, and a courier. */
async function offered(changes: Record<string, unknown> = {}) {
  const sender = await stage().person('Customer');
  const courier = await stage().person('Employee', 'Sani');
  return { sender, courier, pkg: await stage().created(sender, changes) };
}

describe('creating', () => {
  it('returns a pending, unpaid and numbered package', async () => {
    const sender = await stage().person('Customer', 'Zainab');
    const body = packageBody({ priceOffer: 1500.55, pickupDate: '2026-11-22T09:00' });
    const answer = await stage().send<WirePackage>(sender, 'POST', '/api/packages', { body });
    expect(answer.status).toBe(201);
    const made = parse(packageSchema, answer.body);
    expect(made).toMatchObject({
      version: 1,
      deliveryStatus: 'Pending',
      paymentStatus: 'unpaid',
      deliveryPersonId: null,
      priceOffer: 1500.55,
      pickupDate: '2026-11-22T08:00:00.000Z',
      deliveryDate: null,
      notes: null,
      senderId: { _id: sender.id, firstName: 'Zainab', phoneNumber: '+2348031234567' },
    });
    expect(made.packageId).toMatch(/^KY-\d{6}$/);
    const read = await stage().send(sender, 'GET', `/api/packages/${made._id}`);
    expect(read.body).toEqual(answer.body);
  });

  it.each([
    ['2026-11-22T08:00:00.5Z', '2026-11-22T08:00:00.500Z'],
    ['2026-11-22T08:00:00.040Z', '2026-11-22T08:00:00.040Z'],
    ['2026-11-22T08:00:00.007+01:00', '2026-11-22T07:00:00.007Z'],
  ])('keeps milliseconds: %s', async (pickupDate, kept) => {
    const { pkg } = await offered({ pickupDate, deliveryDate: pickupDate });
    expect([pkg.pickupDate, pkg.deliveryDate]).toEqual([kept, kept]);
  });

  it("accepts a client's id, and only once, even after a delete", async () => {
    const sender = await stage().person('Customer');
    const _id = randomUUID();
    expect((await stage().created(sender, { _id }))._id).toBe(_id);
    const again = () =>
      stage().send(sender, 'POST', '/api/packages', { body: packageBody({ _id }) });
    expect(await codeOf(again())).toBe('id_taken');
    expect((await stage().send(sender, 'DELETE', `/api/packages/${_id}`)).status).toBe(200);
    expect(await codeOf(again())).toBe('id_taken');
  });

  it('requires a complete profile', async () => {
    const sender = await stage().person('Customer', null);
    const answer = await stage().send(sender, 'POST', '/api/packages', { body: packageBody() });
    expect(outcomeOf(answer)).toEqual([422, 'profile_incomplete']);
  });

  it('for another sender is possible for admins', async () => {
    const other = await stage().person('Customer');
    const body = packageBody({ senderId: other.id });
    const admin = await stage().admin();
    await stage().edit(admin, { ...profile, id: admin.id });
    const made = await stage().send<WirePackage>(admin, 'POST', '/api/packages', { body });
    expect([made.status, made.body.senderId._id]).toEqual([201, other.id]);
  });
});

describe('the status of a package', () => {
  it('goes from pending to delivered, and back to pending when the courier rejects', async () => {
    const { courier, pkg } = await offered();
    const accepted = await patched(courier, pkg, acceptance(courier));
    expect(accepted).toMatchObject({ deliveryStatus: 'In Transit', version: 2 });
    expect(accepted.deliveryPersonId?._id).toBe(courier.id);
    const rejected = await patched(courier, pkg, rejection);
    expect(rejected).toMatchObject({ ...rejection, version: 3 });
    await patched(courier, pkg, { deliveryPersonId: courier.id });
    const delivered = await patched(courier, pkg, { deliveryStatus: 'delivered' });
    expect(delivered).toMatchObject({ deliveryStatus: 'Delivered', version: 5 });
  });

  it('ends with a delete for everybody', async () => {
    const { sender, courier, pkg } = await offered();
    const answer = await stage().send(sender, 'DELETE', `/api/packages/${pkg._id}`);
    expect(answer.body).toEqual({ _id: pkg._id, removed: true });
    expect((await stage().accept(courier, pkg)).status).toBe(404);
    expect((await stage().send(sender, 'GET', `/api/packages/${pkg._id}`)).status).toBe(404);
    expect((await stage().send(sender, 'DELETE', `/api/packages/${pkg._id}`)).status).toBe(404);
    const { text } = await stage().send(sender, 'GET', '/api/packages');
    expect(text).not.toContain(pkg._id);
    const { database, now } = stage();
    const late = { id: pkg._id, courierId: courier.id, baseVersion: undefined, now: now() };
    // Alone: in what follows it would restore the values it wrote before.
    expect(await acceptPackage(database.db, late)).toBe(false);
  });
});

it('assigning accepts an active courier with a complete profile who is not the sender', async () => {
  const admin = await stage().admin();
  const [sender, customer] = await stage().people('Employee', 'Customer');
  const unfinished = await stage().person('Employee', null);
  const courier = await stage().person('Employee');
  const pkg = await stage().created(sender);
  for (const id of [randomUUID(), customer.id, unfinished.id, sender.id]) {
    const answer = await stage().patch(admin, pkg, { deliveryPersonId: id });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['deliveryPersonId']]);
  }
  const assigned = await patched(admin, pkg, { deliveryPersonId: courier.id });
  expect(assigned).toMatchObject({ deliveryStatus: 'In Transit' });
});

describe('editing', () => {
  it('writes the changed fields and increments the version once', async () => {
    const { sender, pkg } = await offered();
    const edit = { recipientName: 'Ladi', priceOffer: 2000, notes: 'Call first' };
    const edited = await patched(sender, pkg, edit);
    expect(edited).toMatchObject({ ...edit, version: 2 });
    expect(edited.pickupAddress).toBe(pkg.pickupAddress);
  });

  it('without a change keeps version and time', async () => {
    const { sender, pkg } = await offered();
    stage().pass(1000);
    const same = { recipientName: pkg.recipientName, pickupDate: pkg.pickupDate, priceOffer: 1500 };
    expect(await patched(sender, pkg, same)).toEqual(pkg);
    expect(await patched(sender, pkg, {})).toEqual(pkg);
    const state = { deliveryStatus: 'pending', paymentStatus: 'unpaid' };
    expect(await patched(sender, pkg, state)).toEqual(pkg);
  });

  it('with an invalid part changes nothing', async () => {
    const { courier, pkg } = await offered();
    const accepted = await patched(courier, pkg, acceptance(courier));
    const answer = await stage().patch(courier, pkg, {
      deliveryStatus: 'Delivered',
      description: 'Gold',
    });
    expect(outcomeOf(answer)).toEqual([403, 'forbidden']);
    const read = await stage().send(courier, 'GET', `/api/packages/${pkg._id}`);
    expect(read.body).toEqual(accepted);
  });

  it('refuses a delivery before the pickup, including against the existing date', async () => {
    const dates = { pickupDate: '2026-11-22T08:00:00Z', deliveryDate: '2026-11-22T10:00:00Z' };
    const { sender, pkg } = await offered(dates);
    const deliveryDate = 'The delivery date must not be before the pickup date.';
    for (const change of [
      { deliveryDate: '2026-11-22T07:00:00Z' },
      { pickupDate: '2026-11-22T11:00:00Z' },
    ]) {
      const answer = await stage().patch(sender, pkg, change);
      expect([answer.status, answer.body.fields]).toEqual([422, { deliveryDate }]);
    }
  });

  it('conflicts only on a field another user has changed since, and returns the row', async () => {
    const { sender, pkg } = await offered();
    await patched(sender, pkg, { notes: 'From the other phone', baseVersion: 1 });
    const other = await patched(sender, pkg, { recipientName: 'Ladi', baseVersion: 1 });
    expect(other.version).toBe(3);
    const clash = await stage().patch(sender, pkg, { notes: 'From this phone', baseVersion: 1 });
    expect(outcomeOf(clash)).toEqual([409, 'conflict']);
    expect(clash.body).toHaveProperty('fields', { notes: expect.any(String) });
    expect(parse(packageSchema, clash.body.current)).toMatchObject({
      notes: 'From the other phone',
      recipientName: 'Ladi',
      version: 3,
    });
    const same = await patched(sender, pkg, { notes: 'From the other phone', baseVersion: 1 });
    expect(same.version).toBe(3);
    await patched(sender, pkg, { notes: 'From this phone', baseVersion: 3 });
    expect(await patched(sender, pkg, { notes: 'Last word' })).toMatchObject({ version: 5 });
  });

  it.each<[object, number]>([
    [{ priceOffer: 5 }, 409],
    [{ paymentMethod: 'app' }, 409],
    [{ pickupLocation: { lat: 11.9702, lng: 8.5434 } }, 409],
    [{ pickupAddress: 'Lagos' }, 409],
    [{ deliveryAddress: 'Lagos' }, 409],
    [{ pickupDate: '2026-11-25T08:00:00.000Z' }, 409],
    [{ deliveryDate: '2026-11-26T08:00:00.000Z' }, 409],
    [{ notes: 'Ring twice' }, 200],
  ])('that accepts conflicts only on the terms a courier agrees to: %j, %i', async (change, status) => {
    const { sender, courier, pkg } = await offered();
    const { version } = await patched(sender, pkg, change);
    const accept = (baseVersion: number) =>
      stage().patch(courier, pkg, { ...acceptance(courier), baseVersion });
    const answer = await accept(pkg.version);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.body).toMatchObject({ code: 'conflict', current: { _id: pkg._id, ...change } });
    expect(answer.body.current.recipientPhone).toBeNull();
    expect((await accept(version)).status).toBe(200);
  });
});

it('an uncovered payment is not made later under the same key without the payer', async () => {
  const [sender, admin] = [await stage().person('Customer'), await stage().admin()];
  const pkg = await stage().created(sender, { paymentMethod: 'app' });
  const pay = (key: string) =>
    stage().patch(sender, pkg, { paymentStatus: 'paid' }, { 'idempotency-key': key });
  const refused = await pay('pay');
  expect(outcomeOf(refused)).toEqual([402, 'insufficient_funds']);
  const topUp = { id: sender.id, amount: 1500, reason: 'Counted again' };
  await stage().send(admin, 'PATCH', '/api/users/balance', { body: topUp });
  const again = await pay('pay');
  expect([again.status, again.text]).toEqual([402, refused.text]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await pay('pay-again')).body.paymentStatus).toBe('paid');
});

const kofarMata = { lat: 11.9936, lng: 8.5205 };
const zooRoad = { lat: 11.9702, lng: 8.5434 };

describe('the pins of a package', () => {
  it('are none, one or both, to a tenth of a metre', async () => {
    const sender = await stage().person('Customer');
    const plain = await stage().created(sender);
    expect(plain).toMatchObject({ pickupLocation: null, deliveryLocation: null });
    const one = await stage().created(sender, { pickupLocation: kofarMata });
    expect(one).toMatchObject({ pickupLocation: kofarMata, deliveryLocation: null });
    const both = await stage().created(sender, {
      pickupLocation: { lat: 11.993_600_04, lng: 8.520_499_96 },
      deliveryLocation: zooRoad,
    });
    expect(both).toMatchObject({ pickupLocation: kofarMata, deliveryLocation: zooRoad });
    const { body } = await stage().send<WirePackage[]>(sender, 'GET', '/api/packages');
    expect(body.find(({ _id }) => _id === both._id)).toEqual(both);
  });

  it('keep the version if set to their current place', async () => {
    const { sender, pkg } = await offered({ pickupLocation: kofarMata });
    const same = await stage().patch(sender, pkg, {
      pickupLocation: { lng: 8.5205, lat: 11.993_600_01 },
      deliveryLocation: null,
    });
    expect(same.body).toEqual(pkg);
  });

  it('conflict in a stale edit if moved since, and on nothing else', async () => {
    const { sender, pkg } = await offered({ pickupLocation: kofarMata });
    await stage().patch(sender, pkg, { notes: 'Ring twice' });
    await stage().patch(sender, pkg, { pickupLocation: zooRoad });
    const clash = await stage().patch(sender, pkg, { pickupLocation: null, baseVersion: 1 });
    expect(outcomeOf(clash)).toEqual([409, 'conflict']);
    expect(Object.keys(clash.body.fields)).toEqual(['pickupLocation']);
    expect(clash.body.current).toMatchObject({ pickupLocation: zooRoad, version: 3 });
    const other = await stage().patch(sender, pkg, { deliveryLocation: kofarMata, baseVersion: 1 });
    expect(other.body).toMatchObject({ pickupLocation: zooRoad, deliveryLocation: kofarMata });
  });
});

/** Sends the changes of one outbox in sequence. */
function outboxOf(who: Person, outboxId = randomUUID()) {
  let order = 0;
  return (path: string, body: object) => {
    order += 1;
    const headers = { 'kaya-outbox': writerText({ outboxId, order }) };
    return stage().send(who, 'PATCH', path, { body, headers });
  };
}

describe.each(['package', 'profile'])('edits of a %s on one version', (kind) => {
  async function subject() {
    const sender = await stage().person('Customer');
    if (kind === 'package') {
      const { _id } = await stage().created(sender);
      return { sender, path: `/api/packages/${_id}`, edit: (notes: string) => ({ notes }) };
    }
    const edit = (address: string) => ({ id: sender.id, address });
    return { sender, path: '/api/users', edit };
  }

  it('do not conflict within one outbox', async () => {
    const { sender, path, edit } = await subject();
    const send = outboxOf(sender);
    for (const text of ['One', 'Two', 'Three']) {
      const answer = await send(path, { ...edit(text), baseVersion: 1 });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toContain(text);
    }
  });

  it('conflict with those of another user, whatever outbox is named', async () => {
    const { sender, path, edit } = await subject();
    const outboxId = randomUUID();
    expect((await outboxOf(sender, outboxId)(path, edit('Theirs'))).status).toBe(200);
    const admin = await stage().admin();
    const headers = { 'kaya-outbox': writerText({ outboxId, order: 9 }) };
    const body = { ...edit('Mine'), baseVersion: 1 };
    const clash = await stage().send(admin, 'PATCH', path, { body, headers });
    expect(outcomeOf(clash)).toEqual([409, 'conflict']);
  });

  it('are refused with an invalid Kaya-Outbox', async () => {
    const { sender, path, edit } = await subject();
    const answer = await stage().send(sender, 'PATCH', path, {
      body: edit('Mine'),
      headers: { 'kaya-outbox': 'mine' },
    });
    expect(outcomeOf(answer)).toEqual([422, 'invalid_fields']);
    expect(answer.body.fields).toEqual({ 'Kaya-Outbox': expect.any(String) });
  });

  it('are one request to an Idempotency-Key, whatever outbox is named', async () => {
    const { sender, path, edit } = await subject();
    const send = (outboxId: string) =>
      stage().send(sender, 'PATCH', path, {
        body: edit('Mine'),
        headers: {
          'idempotency-key': 'once',
          'kaya-outbox': writerText({ outboxId, order: 1 }),
        },
      });
    const answer = await send(randomUUID());
    const again = await send(randomUUID());
    // Stored answers have no code and no link.
    const kept = answer.text.replace(/("(?:returnCode|trackingPath)":)"[^"]+"/g, '$1null');
    expect([again.status, again.text]).toEqual([200, kept]);
  });
});
