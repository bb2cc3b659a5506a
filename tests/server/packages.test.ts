import { randomUUID } from 'node:crypto';
import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { packageSchema, type WirePackage } from '#contract/package.ts';
import { acceptPackage } from '#server/modules/packages/repository.ts';
import { createdPackage, fileStage, type Person, packageBody } from './stage.ts';

const stage = fileStage();

function patch(who: Person, pkg: { _id: string }, body: Record<string, unknown>) {
  return stage().send<WirePackage & { code: string; message: string; current: WirePackage }>(
    who,
    'PATCH',
    `/api/packages/${pkg._id}`,
    { body },
  );
}

async function patched(who: Person, pkg: { _id: string }, body: Record<string, unknown>) {
  const answer = await patch(who, pkg, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const acceptBy = (courier: Person) => ({
  deliveryPersonId: courier.id,
  deliveryStatus: 'In Transit',
});
const reject = { deliveryPersonId: null, deliveryStatus: 'Pending' };

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
      senderId: { _id: sender.id, firstName: 'Zainab', phoneNumber: '0803 123 4567' },
    });
    expect(made.packageId).toMatch(/^KY-\d{6}$/);
    const read = await stage().send(sender, 'GET', `/api/packages/${made._id}`);
    expect(read.body).toEqual(answer.body);
  });

  it("accepts a client's id, and only once, even after a delete", async () => {
    const sender = await stage().person('Customer');
    const _id = randomUUID();
    expect((await createdPackage(stage(), sender, { _id }))._id).toBe(_id);
    const again = await stage().send(sender, 'POST', '/api/packages', {
      body: packageBody({ _id }),
    });
    expect([again.status, again.body.code]).toEqual([409, 'id_taken']);
    expect((await stage().send(sender, 'DELETE', `/api/packages/${_id}`)).status).toBe(200);
    const late = await stage().send(sender, 'POST', '/api/packages', {
      body: packageBody({ _id }),
    });
    expect([late.status, late.body.code]).toEqual([409, 'id_taken']);
  });

  it('requires a complete profile', async () => {
    const sender = await stage().person('Customer', null);
    const answer = await stage().send(sender, 'POST', '/api/packages', { body: packageBody() });
    expect([answer.status, answer.body.code]).toEqual([422, 'profile_incomplete']);
  });

  it('for another sender is limited to admins', async () => {
    const sender = await stage().person('Customer');
    const other = await stage().person('Customer');
    const body = packageBody({ senderId: other.id });
    expect((await stage().send(sender, 'POST', '/api/packages', { body })).status).toBe(403);
    const admin = await stage().admin();
    const profile = {
      id: admin.id,
      firstName: 'Ad',
      lastName: 'Min',
      phoneNumber: '0800 000 0000',
    };
    await stage().send(admin, 'PATCH', '/api/users', { body: profile });
    const made = await stage().send<WirePackage>(admin, 'POST', '/api/packages', { body });
    expect([made.status, made.body.senderId._id]).toEqual([201, other.id]);
    const nobody = packageBody({ senderId: randomUUID() });
    const answer = await stage().send(admin, 'POST', '/api/packages', { body: nobody });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['senderId']]);
  });
});

describe('the status of a package', () => {
  it('goes from pending to delivered, and back to pending when the courier rejects', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee', 'Sani');
    const pkg = await createdPackage(stage(), sender);
    const accepted = await patched(courier, pkg, acceptBy(courier));
    expect(accepted).toMatchObject({ deliveryStatus: 'In Transit', version: 2 });
    expect(accepted.deliveryPersonId?._id).toBe(courier.id);
    const rejected = await patched(courier, pkg, reject);
    expect(rejected).toMatchObject({
      deliveryStatus: 'Pending',
      deliveryPersonId: null,
      version: 3,
    });
    await patched(courier, pkg, { deliveryPersonId: courier.id });
    const delivered = await patched(courier, pkg, { deliveryStatus: 'delivered' });
    expect(delivered).toMatchObject({ deliveryStatus: 'Delivered', version: 5 });
  });

  it('ends with a delete for everybody', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const pkg = await createdPackage(stage(), sender);
    const answer = await stage().send(sender, 'DELETE', `/api/packages/${pkg._id}`);
    expect(answer.body).toEqual({ _id: pkg._id, removed: true });
    expect((await patch(courier, pkg, acceptBy(courier))).status).toBe(404);
    expect((await stage().send(sender, 'GET', `/api/packages/${pkg._id}`)).status).toBe(404);
    expect((await stage().send(sender, 'DELETE', `/api/packages/${pkg._id}`)).status).toBe(404);
    const { text } = await stage().send(sender, 'GET', '/api/packages');
    expect(text).not.toContain(pkg._id);
    const { database, now } = stage();
    const acceptance = { id: pkg._id, courierId: courier.id, baseVersion: undefined, now: now() };
    // Alone: in what follows it would restore the values it wrote before.
    expect(await acceptPackage(database.db, acceptance)).toBe(false);
  });
});

describe('assigning', () => {
  it('accepts an active courier with a complete profile who is not the sender', async () => {
    const admin = await stage().admin();
    const sender = await stage().person('Employee');
    const customer = await stage().person('Customer');
    const unfinished = await stage().person('Employee', null);
    const courier = await stage().person('Employee');
    const pkg = await createdPackage(stage(), sender);
    for (const id of [randomUUID(), customer.id, unfinished.id, sender.id]) {
      const answer = await stage().send(admin, 'PATCH', `/api/packages/${pkg._id}`, {
        body: { deliveryPersonId: id },
      });
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['deliveryPersonId']]);
    }
    const assigned = await patched(admin, pkg, { deliveryPersonId: courier.id });
    expect(assigned).toMatchObject({ deliveryStatus: 'In Transit' });
  });
});
