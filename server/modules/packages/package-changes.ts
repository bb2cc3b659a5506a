/** An edit of a package's fields, between the wire's spelling and the row's. Pure. */
import { type PackageChanges, type PackageField, packageFields } from '#contract/package.ts';
import { isSameValue } from '#domain/location.ts';
import { nairaToKobo } from '#domain/money.ts';
import { areDatesInOrder } from '#domain/package-form.ts';
import { messages } from '#domain/validation.ts';
import { invalidField } from '#server/refusal.ts';
import type { NewPackage, PackageRow } from './repository.ts';

type Columns = Partial<Pick<NewPackage, Exclude<PackageField, 'priceOffer'> | 'priceKobo'>>;

/** The value of a field in the row, as the wire spells it. */
function currentValue(row: PackageRow, field: PackageField): unknown {
  if (field === 'priceOffer') return row.priceKobo / 100;
  const value = row[field];
  return value instanceof Date ? value.toISOString() : value;
}

/** Only the fields that would really change. */
export function differingChanges(row: PackageRow, changes: PackageChanges): PackageChanges {
  return Object.fromEntries(
    packageFields
      .filter(
        (field) =>
          changes[field] !== undefined && !isSameValue(changes[field], currentValue(row, field)),
      )
      .map((field) => [field, changes[field]]),
  );
}

/** Refuses a delivery before the pickup, in the words of the form. */
export function checkDates(pickup: Date, delivery: Date | null): void {
  if (!areDatesInOrder(pickup.toISOString(), delivery?.toISOString() ?? null)) {
    throw invalidField('deliveryDate', messages.deliveryBeforePickup);
  }
}

/** The columns that an edit writes; what they mean for money is package-money's. */
export function columnsOf(row: PackageRow, changes: PackageChanges): Columns {
  const { priceOffer, pickupDate, deliveryDate, ...same } = changes;
  const columns: Columns = {};
  for (const [name, value] of Object.entries(same)) {
    if (value !== undefined) Object.assign(columns, { [name]: value });
  }
  if (priceOffer !== undefined) columns.priceKobo = nairaToKobo(priceOffer);
  if (pickupDate !== undefined) columns.pickupDate = new Date(pickupDate);
  if (deliveryDate !== undefined) {
    columns.deliveryDate = deliveryDate === null ? null : new Date(deliveryDate);
  }
  if (pickupDate !== undefined || deliveryDate !== undefined) {
    checkDates(
      columns.pickupDate ?? row.pickupDate,
      columns.deliveryDate === undefined ? row.deliveryDate : columns.deliveryDate,
    );
  }
  return columns;
}
