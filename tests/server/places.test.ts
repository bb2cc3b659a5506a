/** Pins on packages: set, moved, taken away, and seen by whoever sees the addresses. */
import { describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();

const kofarMata = { lat: 11.9936, lng: 8.5205 };
const zooRoad = { lat: 11.9702, lng: 8.5434 };

type PatchAnswer = WirePackage & { code: string; current: WirePackage; fields: object };

function patch(who: Person, { _id }: { _id: string }, body: Record<string, unknown>) {
  return stage().send<PatchAnswer>(who, 'PATCH', `/api/packages/${_id}`, { body });
}

const listed = async (who: Person, { _id }: { _id: string }) => {
  const { body } = await stage().send<WirePackage[]>(who, 'GET', '/api/packages');
  return body.find((each) => each._id === _id);
};

describe('a package', () => {
  it('is made without pins, with one, or with both, to a tenth of a metre', async () => {
    const sender = await stage().person('Customer');
    const plain = await createdPackage(stage(), sender);
    expect(plain).toMatchObject({ pickupLocation: null, deliveryLocation: null });
    const one = await createdPackage(stage(), sender, { pickupLocation: kofarMata });
    expect(one).toMatchObject({ pickupLocation: kofarMata, deliveryLocation: null });
    const both = await createdPackage(stage(), sender, {
      pickupLocation: { lat: 11.993_600_04, lng: 8.520_499_96 },
      deliveryLocation: zooRoad,
    });
    expect(both).toMatchObject({ pickupLocation: kofarMata, deliveryLocation: zooRoad });
    expect(await listed(sender, both)).toEqual(both);
  });

  it('has its pins moved and taken away, each by itself', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender, {
      ...{ pickupLocation: kofarMata, deliveryLocation: kofarMata },
    });
    const moved = await patch(sender, pkg, { deliveryLocation: zooRoad });
    expect(moved.body).toMatchObject({
      ...{ pickupLocation: kofarMata, deliveryLocation: zooRoad, version: 2 },
    });
    const cleared = await patch(sender, pkg, { pickupLocation: null });
    expect(cleared.body).toMatchObject({
      ...{ pickupLocation: null, deliveryLocation: zooRoad, version: 3 },
    });
  });

  it('keeps its version where a pin is set to where it is', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender, { pickupLocation: kofarMata });
    const same = await patch(sender, pkg, {
      pickupLocation: { lng: 8.5205, lat: 11.993_600_01 },
      deliveryLocation: null,
    });
    expect(same.body).toEqual(pkg);
  });
});

describe('a stale edit of a pin', () => {
  it('is a conflict where somebody else has moved it, and none over anything else', async () => {
    const sender = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender, { pickupLocation: kofarMata });
    await patch(sender, pkg, { notes: 'Ring twice' });
    await patch(sender, pkg, { pickupLocation: zooRoad });
    const clash = await patch(sender, pkg, { pickupLocation: null, baseVersion: 1 });
    expect([clash.status, clash.body.code]).toEqual([409, 'conflict']);
    expect(Object.keys(clash.body.fields)).toEqual(['pickupLocation']);
    expect(clash.body.current).toMatchObject({ pickupLocation: zooRoad, version: 3 });
    const other = await patch(sender, pkg, { deliveryLocation: kofarMata, baseVersion: 1 });
    expect(other.body).toMatchObject({ pickupLocation: zooRoad, deliveryLocation: kofarMata });
  });

  it('is a conflict for a courier who accepts what they saw elsewhere', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const pkg = await createdPackage(stage(), sender, { pickupLocation: kofarMata });
    await patch(sender, pkg, { pickupLocation: zooRoad });
    const accept = { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' };
    const late = await patch(courier, pkg, { ...accept, baseVersion: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    expect((await patch(courier, pkg, { ...accept, baseVersion: 2 })).status).toBe(200);
  });
});

describe('pins', () => {
  it('are seen by couriers while on offer, as the addresses are, and by the one who carries it', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const rival = await stage().person('Employee');
    const stranger = await stage().person('Customer');
    const pkg = await createdPackage(stage(), sender, {
      ...{ pickupLocation: kofarMata, deliveryLocation: zooRoad },
    });
    const pins = { pickupLocation: kofarMata, deliveryLocation: zooRoad };
    expect(await listed(courier, pkg)).toMatchObject(pins);
    expect(await listed(stranger, pkg)).toBeUndefined();
    await patch(courier, pkg, { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' });
    expect(await listed(courier, pkg)).toMatchObject(pins);
    expect(await listed(rival, pkg)).toBeUndefined();
    expect(await listed(await stage().admin(), pkg)).toMatchObject(pins);
  });

  it('are moved by whoever may edit the addresses, and by nobody else', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const pkg = await createdPackage(stage(), sender);
    const place = { pickupLocation: kofarMata };
    expect((await patch(courier, pkg, place)).status).toBe(403);
    await patch(courier, pkg, { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' });
    expect((await patch(courier, pkg, place)).status).toBe(403);
    const late = await patch(sender, pkg, place);
    expect([late.status, late.body.code]).toEqual([409, 'invalid_state']);
    const moved = await patch(await stage().admin(), pkg, place);
    expect(moved.body.pickupLocation).toEqual(kofarMata);
  });
});
