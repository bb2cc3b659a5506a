import { randomUUID } from 'node:crypto';
import { type PatchPackageBody, patchPackageSchema } from '#contract/package.ts';

export type PatchField = Exclude<keyof PatchPackageBody, 'baseVersion'>;

export type PatchValues = {
  [F in PatchField]: readonly Exclude<PatchPackageBody[F], undefined>[];
};

type Flag = {
  [F in PatchField]: Exclude<PatchPackageBody[F], undefined> extends boolean ? F : never;
}[PatchField];

/** Fields that are true or false. */
const flags = Object.fromEntries(
  Object.entries(patchPackageSchema.entries)
    .filter(([, { wrapped }]) => (wrapped.type as string) === 'boolean')
    .map(([field]) => [field, [true, false]]),
) as Record<Flag, boolean[]>;

/**
 * Values of every field of a package's PATCH: a new field without any does not compile, except one
 * that is true or false. `number` makes texts unique.
 */
export function patchValues(userIds: readonly string[], number: number): PatchValues {
  const pins = [null, { lat: 12.1, lng: 8.5 }, { lat: 12.0022, lng: 8.5919 }];
  return {
    ...flags,
    pickupAddress: [`${number} Kofar Mata Road`],
    deliveryAddress: [`${number} Zoo Road`],
    pickupLocation: pins,
    deliveryLocation: pins,
    recipientName: ['Musa Ibrahim', `Musa ${number}`],
    recipientPhone: ['+2348057654321', `+234805${1_000_000 + number}`],
    recipientEmail: [null, 'musa@kaya.test'],
    description: [`Cloth ${number}`],
    notes: [null, 'Ring twice'],
    pickupDate: ['2026-11-22T08:00:00.000Z', '2026-11-24T08:00:00.000Z'],
    deliveryDate: [null, '2026-11-23T08:00:00.000Z', '2026-11-25T08:00:00.000Z'],
    priceOffer: [1500, 1000 + number],
    // The fake server has no money.
    paymentMethod: ['cash'],
    handover: ['none', 'code'],
    deliveryPersonId: [null, ...userIds, randomUUID()],
    deliveryStatus: ['Cancelled', 'Pending', 'in-transit', 'In Transit', 'Delivered', '', 'lost'],
    paymentStatus: ['paid', 'unpaid'],
  };
}
