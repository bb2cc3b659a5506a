import { getTableColumns } from 'drizzle-orm';
import type { Area } from '#contract/area.ts';
import type { WirePackage } from '#contract/package.ts';
import { packageToWire, type StoredPackage } from '#domain/package.ts';
import { differingFields } from '#domain/patch.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { redact } from '#domain/redact.ts';
import { isElsewhere } from '#domain/within-area.ts';
import { type NewPackage, type PackageRow, packages } from '#server/database/schema.ts';
import { displayNumber, type FoundPackage, trackingPathOf } from './found-package.ts';
import { isLocked } from './handover.ts';

type PackageColumns = Omit<NewPackage, 'number' | 'version' | 'heldKobo' | 'paidOutAt'>;

const columns = getTableColumns(packages);

function isMoment(name: string): boolean {
  return name in columns && columns[name as keyof typeof columns].dataType === 'date';
}

const moments = Object.keys(columns).filter(isMoment);

/** Dates become ISO 8601. */
type WithTexts<R> = {
  [Name in keyof R]: Date extends R[Name] ? Exclude<R[Name], Date> | string : R[Name];
};

function withTexts<R extends Partial<PackageRow>>(row: R): WithTexts<R> {
  const result: Record<string, unknown> = { ...row };
  for (const name of moments) {
    const value = result[name];
    if (value instanceof Date) result[name] = value.toISOString();
  }
  return result as WithTexts<R>;
}

/** The row as the domain's package; columns of other names and types are converted. */
export function storedPackageOf(row: PackageRow): StoredPackage {
  return {
    ...withTexts(row),
    packageId: displayNumber(row.number),
    priceOfferKobo: row.priceKobo,
    codeLocked: isLocked(row),
    trackingPath: trackingPathOf(row.trackingToken),
  };
}

/** The columns in which `after` differs from `before`; without `before`, all. */
export function columnsOf(before: StoredPackage | null, after: StoredPackage): PackageColumns {
  const { packageId: _, version: __, codeLocked: ___, trackingPath: ____, ...fields } = after;
  const names = before ? differingFields(before, after) : Object.keys(fields);
  const entries = names.map((name) => {
    const value = after[name as keyof StoredPackage];
    if (name === 'priceOfferKobo') return ['priceKobo', value];
    return [name, isMoment(name) && typeof value === 'string' ? new Date(value) : value];
  });
  return Object.fromEntries(entries);
}

/** As `actor` may see it: the policy withholds contacts. Null: not at all, or outside their area. */
export function packageFor(
  actor: Actor,
  { pkg, isDeleted }: FoundPackage,
  area: Area | null = null,
): WirePackage | null {
  const facts = factsOf(pkg);
  if (isDeleted || !can(actor, 'view', facts).isAllowed) return null;
  if (area !== null && isElsewhere(actor, area, facts, pkg.pickupLocation)) return null;
  // A row here says how it is paid.
  return packageToWire(redact(actor, pkg)) as WirePackage;
}
