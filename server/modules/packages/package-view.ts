import { getTableColumns } from 'drizzle-orm';
import type { WirePackage } from '#contract/package.ts';
import { packageToWire, type StoredPackage } from '#domain/package.ts';
import { differingFields } from '#domain/patch.ts';
import { type Actor, type PackageFacts, redact } from '#domain/policy.ts';
import { packages } from '#server/database/schema.ts';
import type { NewPackage, PackageRow, PackageWithParties } from './repository.ts';

type PackageColumns = Omit<NewPackage, 'number' | 'version' | 'heldKobo' | 'paidOutAt'>;

/** 42 → 'KY-000042' */
export function displayNumber(number: number): string {
  return `KY-${String(number).padStart(6, '0')}`;
}

export function factsOfRow(row: Pick<PackageRow, keyof PackageFacts>): PackageFacts {
  const { senderId, courierId, status, paymentMethod } = row;
  return { senderId, courierId, status, paymentMethod };
}

/** The row as the domain's package; columns of other names and types are converted. */
export function storedPackageOf(row: PackageWithParties['row']): StoredPackage {
  return {
    ...row,
    packageId: displayNumber(row.number),
    pickupDate: row.pickupDate.toISOString(),
    deliveryDate: row.deliveryDate?.toISOString() ?? null,
    priceOfferKobo: row.priceKobo,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const columns = getTableColumns(packages);

function isMoment(name: string): boolean {
  return name in columns && columns[name as keyof typeof columns].dataType === 'date';
}

/** The columns in which `after` differs from `before`; without `before`, all. */
export function columnsOf(before: StoredPackage | null, after: StoredPackage): PackageColumns {
  const { packageId: _, version: __, ...fields } = after;
  const names = before ? differingFields(before, after) : Object.keys(fields);
  const entries = names.map((name) => {
    const value = after[name as keyof StoredPackage];
    if (name === 'priceOfferKobo') return ['priceKobo', value];
    return [name, isMoment(name) && typeof value === 'string' ? new Date(value) : value];
  });
  return Object.fromEntries(entries);
}

/** As `actor` may see it: the policy withholds contacts. */
export function packageFor(actor: Actor, found: PackageWithParties): WirePackage {
  const { row, sender, courier } = found;
  return packageToWire(redact(actor, { ...storedPackageOf(row), sender, courier }));
}
