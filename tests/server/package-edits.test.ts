import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { packageSchema, type WirePackage } from '#contract/package.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

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

describe('editing', () => {
  it('writes the changed fields and increments the version once', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender);
    const edit = {
      recipientName: 'Ladi',
      priceOffer: 2000,
      notes: 'Call first',
      deliveryDate: null,
    };
    const edited = await patched(sender, pkg, edit);
    expect(edited).toMatchObject({ ...edit, version: 2 });
    expect(edited.pickupAddress).toBe(pkg.pickupAddress);
  });

  it('without a change keeps version and time', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender);
    stage().pass(1000);
    const same = { recipientName: pkg.recipientName, pickupDate: pkg.pickupDate, priceOffer: 1500 };
    expect(await patched(sender, pkg, same)).toEqual(pkg);
    expect(await patched(sender, pkg, {})).toEqual(pkg);
    expect(
      await patched(sender, pkg, { deliveryStatus: 'pending', paymentStatus: 'unpaid' }),
    ).toEqual(pkg);
  });

  it('with an invalid part changes nothing', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const pkg = await createdPackage(stage(), sender);
    const accepted = await patched(courier, pkg, acceptBy(courier));
    const answer = await patch(courier, pkg, { deliveryStatus: 'Delivered', description: 'Gold' });
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    const read = await stage().send(courier, 'GET', `/api/packages/${pkg._id}`);
    expect(read.body).toEqual(accepted);
  });

  it('refuses a delivery before the pickup, including against the existing date', async () => {
    const sender = await stage().person('Customer');
    const dates = { pickupDate: '2026-11-22T08:00:00Z', deliveryDate: '2026-11-22T10:00:00Z' };
    const pkg = await createdPackage(stage(), sender, dates);
    const earlier = await stage().send(sender, 'PATCH', `/api/packages/${pkg._id}`, {
      body: { deliveryDate: '2026-11-22T07:00:00Z' },
    });
    const later = await stage().send(sender, 'PATCH', `/api/packages/${pkg._id}`, {
      body: { pickupDate: '2026-11-22T11:00:00Z' },
    });
    for (const answer of [earlier, later]) {
      expect([answer.status, answer.body.fields]).toEqual([
        422,
        { deliveryDate: 'The delivery date must not be before the pickup date.' },
      ]);
    }
  });

  it('conflicts only on a field another user has changed since, and returns the row', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender);
    await patched(sender, pkg, { notes: 'From the other phone', baseVersion: 1 });
    const other = await patched(sender, pkg, { recipientName: 'Ladi', baseVersion: 1 });
    expect(other.version).toBe(3);
    const clash = await patch(sender, pkg, { notes: 'From this phone', baseVersion: 1 });
    expect([clash.status, clash.body.code]).toEqual([409, 'conflict']);
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

  it('that accepts conflicts only on the terms a courier agrees to', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const pickupLocation = { lat: 11.9702, lng: 8.5434 };
    const agreed = [
      ...[{ priceOffer: 5 }, { paymentMethod: 'app' }, { pickupLocation }],
      ...[{ pickupAddress: 'Lagos' }, { deliveryAddress: 'Lagos' }],
      ...[{ pickupDate: '2026-11-25T08:00:00.000Z' }, { deliveryDate: '2026-11-26T08:00:00.000Z' }],
    ];
    const changes: [object, number][] = [
      ...agreed.map((one): [object, number] => [one, 409]),
      [{ notes: 'Ring twice' }, 200],
    ];
    for (const [change, status] of changes) {
      const pkg = await createdPackage(stage(), sender);
      const { _id } = pkg;
      const { body: edited } = await patch(sender, pkg, { ...change });
      const answer = await patch(courier, pkg, { ...acceptBy(courier), baseVersion: pkg.version });
      expect([answer.status, change]).toEqual([status, change]);
      if (status === 200) continue;
      expect(answer.body).toMatchObject({ code: 'conflict', current: { _id, ...change } });
      expect(answer.body.current.recipientPhone).toBeNull();
      const again = await patch(courier, pkg, {
        ...acceptBy(courier),
        baseVersion: edited.version,
      });
      expect(again.body.deliveryPersonId?._id, again.text).toBe(courier.id);
    }
  });
});

describe('an uncovered payment', () => {
  it('is not made later under the same key without the payer', async () => {
    const [sender, admin] = [await stage().person('Customer'), await stage().admin()];
    const pkg = await createdPackage(stage(), sender, { paymentMethod: 'app' });
    const pay = (key: string) =>
      stage().send<WirePackage & { code: string }>(sender, 'PATCH', `/api/packages/${pkg._id}`, {
        body: { paymentStatus: 'paid' },
        headers: { 'idempotency-key': key },
      });
    const refused = await pay('pay');
    expect([refused.status, refused.body.code]).toEqual([402, 'insufficient_funds']);
    const topUp = { id: sender.id, amount: 1500, reason: 'Counted again' };
    await stage().send(admin, 'PATCH', '/api/users/balance', { body: topUp });
    const again = await pay('pay');
    expect([again.status, again.text]).toEqual([402, refused.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await pay('pay-again')).body.paymentStatus).toBe('paid');
  });
});
