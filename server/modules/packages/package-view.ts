/** From a package's row to the product's package, to what its reader may see on the wire. */
import type { WirePackage } from '#contract/package.ts';
import type { Package } from '#domain/package.ts';
import { packageToWire } from '#domain/package.ts';
import { type Actor, type PackageFacts, redact } from '#domain/policy.ts';
import type { PackageRow, PackageWithParties } from './repository.ts';

/** 42 → 'KY-000042' */
export function displayNumber(number: number): string {
  return `KY-${String(number).padStart(6, '0')}`;
}

export function factsOfRow(row: Pick<PackageRow, keyof PackageFacts>): PackageFacts {
  const { senderId, courierId, status, paymentMethod } = row;
  return { senderId, courierId, status, paymentMethod };
}

function packageOf({ row, sender, courier }: PackageWithParties): Package {
  return {
    id: row.id,
    packageId: displayNumber(row.number),
    version: row.version,
    sender,
    courier,
    recipientName: row.recipientName,
    recipientPhone: row.recipientPhone,
    recipientEmail: row.recipientEmail,
    description: row.description,
    notes: row.notes,
    pickupAddress: row.pickupAddress,
    deliveryAddress: row.deliveryAddress,
    pickupLocation: row.pickupLocation,
    deliveryLocation: row.deliveryLocation,
    paymentMethod: row.paymentMethod,
    status: row.status,
    paymentStatus: row.paymentStatus,
    pickupDate: row.pickupDate.toISOString(),
    deliveryDate: row.deliveryDate?.toISOString() ?? null,
    priceOfferKobo: row.priceKobo,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** As `actor` may see it: the policy withholds contacts. */
export function packageFor(actor: Actor, found: PackageWithParties): WirePackage {
  return packageToWire(redact(actor, packageOf(found)));
}
