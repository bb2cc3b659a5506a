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

export function factsOfRow(row: PackageRow): PackageFacts {
  const { senderId, courierId, status, paymentMethod } = row;
  return { senderId, courierId, status, paymentMethod };
}

function packageOf({ row, sender, courier }: PackageWithParties): Package {
  const { id, version, recipientName, recipientPhone, recipientEmail, description, notes } = row;
  const { pickupAddress, deliveryAddress, paymentMethod, status, paymentStatus } = row;
  return {
    ...{ id, version, recipientName, recipientPhone, recipientEmail, description, notes },
    ...{ pickupAddress, deliveryAddress, paymentMethod, status, paymentStatus },
    packageId: displayNumber(row.number),
    ...{ sender, courier },
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
