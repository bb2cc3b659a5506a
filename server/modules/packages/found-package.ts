/** How a package and its people are read, for one package or a list of hundreds. */
import { type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { pathOf } from '#contract/routes.ts';
import { trackingPagePath } from '#contract/tracking.ts';
import type { Package } from '#domain/package.ts';
import type { RawRow } from '#server/database/prepared-query.ts';
import { packages, users } from '#server/database/schema.ts';
import { isLocked } from './handover.ts';

/** 42 → 'KY-000042' */
export function displayNumber(number: number): string {
  return `KY-${String(number).padStart(6, '0')}`;
}

export function trackingPathOf(token: string | null): string | null {
  return token && pathOf(trackingPagePath, { token });
}

export interface FoundPackage {
  pkg: Package;
  /** The order of lists. */
  number: number;
  isDeleted: boolean;
}

const couriers = alias(users, 'couriers');
const isDeleted = sql<boolean>`${packages.deletedAt} is not null`;

const paidOut = sql<number | null>`case when ${packages.paidOutAt} is not null
  then ${packages.paidOutKobo} end`;

/**
 * A row is read as one JSON array: both drivers read it several times faster than as many columns,
 * of which they convert each. `readPackage` has the same order.
 */
const columns = [
  ...[packages.id, packages.number, packages.version, isDeleted],
  ...[users.id, users.firstName, users.lastName, users.email, users.phoneNumber],
  ...[couriers.id, couriers.firstName, couriers.lastName, couriers.email, couriers.phoneNumber],
  ...[packages.recipientName, packages.recipientPhone, packages.recipientEmail],
  ...[packages.description, packages.notes, packages.pickupAddress, packages.deliveryAddress],
  ...[packages.pickupLocation, packages.deliveryLocation],
  ...[packages.pickupDate, packages.deliveryDate, packages.priceKobo, packages.paymentMethod],
  ...[packages.status, packages.paymentStatus, packages.createdAt, packages.updatedAt],
  ...[packages.progress, packages.attempts, packages.lastAttempt, packages.outcome],
  ...[packages.deliveredAt, packages.handover, packages.verifiedBy],
  ...[packages.dropoffCode, packages.dropoffToken, packages.dropoffTokenHash],
  ...[packages.returnCode, packages.dropoffTries, packages.returnTries],
  ...[packages.releaseAt, paidOut, packages.dispute],
  ...[packages.trackingToken, packages.recipientNote, packages.wrongCodes],
  ...[packages.photosMissing],
] as const;
const asJson = sql.join(
  columns.map((column) => sql`${column}`),
  sql`, `,
);

/** Dates are text in JSON. */
type Text<Value> = Value extends Date ? string : Value;
type ValueOf<Column> =
  Column extends PgColumn<infer Of>
    ? Text<Of['data']> | (Of['notNull'] extends true ? never : null)
    : Column extends SQL<infer Value>
      ? Value
      : never;
type Json = { readonly [At in keyof typeof columns]: ValueOf<(typeof columns)[At]> };

interface Read {
  /** A further column. */
  more?: SQL | undefined;
  limit?: SQL;
}

/** Packages with their people, newest first; includes deleted ones if `condition` does. */
export function packagesWhere(condition: SQL | undefined, { more, limit }: Read = {}): SQL {
  const where = condition ? sql`where ${condition}` : sql``;
  const newestFirst = sql`order by ${packages.number} desc`;
  // Limited before the joins: else each row is joined and written as JSON, then most are dropped.
  const wanted = limit
    ? sql`(select * from ${packages} ${where} ${newestFirst} limit ${limit}) as packages`
    : packages;
  return sql`select json_build_array(${asJson}) as found${more ? sql`, ${more}` : sql``}
    from ${wanted} inner join ${users} on ${users.id} = ${packages.senderId}
    left join ${users} as couriers on ${couriers.id} = ${packages.courierId}
    ${limit ? sql`` : where} ${newestFirst}`;
}

/** '2026-11-22T08:00:00.5+00:00', as PostgreSQL writes it in JSON, → '2026-11-22T08:00:00.500Z' */
function isoOf(moment: string): string {
  if (!moment.endsWith('+00:00')) return new Date(moment).toISOString();
  if (moment.length === 25) return `${moment.slice(0, 19)}.000Z`;
  return `${moment.slice(0, -6).padEnd(23, '0')}Z`;
}

/** A row of `packagesWhere`. By index: a list has hundreds. */
export function readPackage(raw: RawRow): FoundPackage {
  const json = raw.found as Json;
  return {
    number: json[1],
    isDeleted: json[3],
    pkg: {
      id: json[0],
      packageId: displayNumber(json[1]),
      version: json[2],
      sender: {
        id: json[4],
        firstName: json[5],
        lastName: json[6],
        email: json[7],
        phoneNumber: json[8],
      },
      courier:
        json[9] === null
          ? null
          : {
              id: json[9],
              firstName: json[10],
              lastName: json[11],
              email: json[12],
              phoneNumber: json[13],
            },
      recipientName: json[14],
      recipientPhone: json[15],
      recipientEmail: json[16],
      description: json[17],
      notes: json[18],
      pickupAddress: json[19],
      deliveryAddress: json[20],
      pickupLocation: json[21],
      deliveryLocation: json[22],
      pickupDate: isoOf(json[23]),
      deliveryDate: json[24] === null ? null : isoOf(json[24]),
      priceOfferKobo: json[25],
      paymentMethod: json[26],
      status: json[27],
      paymentStatus: json[28],
      createdAt: isoOf(json[29]),
      updatedAt: isoOf(json[30]),
      progress: json[31],
      attempts: json[32],
      lastAttempt: json[33],
      outcome: json[34],
      deliveredAt: json[35] === null ? null : isoOf(json[35]),
      handover: json[36],
      verifiedBy: json[37],
      dropoffCode: json[38],
      dropoffToken: json[39],
      dropoffTokenHash: json[40],
      returnCode: json[41],
      codeLocked: isLocked({
        progress: json[31],
        dropoffTries: json[42],
        returnTries: json[43],
        wrongCodes: json[49],
      }),
      releaseAt: json[44] === null ? null : isoOf(json[44]),
      paidOutKobo: json[45],
      dispute: json[46],
      trackingPath: trackingPathOf(json[47]),
      recipientNote: json[48],
      photosMissing: json[50],
    },
  };
}
