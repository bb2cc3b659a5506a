/** Pins on packages: set, moved, removed, and visible with the addresses. */
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
  it('is created with no pin, one or both, to a tenth of a metre', async () => {
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

  it('keeps its version if a pin is set to its current place', async () => {
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
  it('conflicts if another user has moved it, and on nothing else', async () => {
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
});
