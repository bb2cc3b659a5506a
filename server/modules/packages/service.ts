/**
 * Packages: every decision is the policy's (domain/policy, domain/transition); this file fetches
 * the facts it needs under a lock and writes what it allowed.
 */
import { randomUUID } from 'node:crypto';
import type { Removed } from '#contract/delta.ts';
import type {
  CreatePackageBody,
  PackageChanges,
  PatchPackageBody,
  PaymentStatus,
  WirePackage,
} from '#contract/package.ts';
import { bargain, bill } from '#domain/conflict.ts';
import { nairaToKobo } from '#domain/money.ts';
import {
  type Actor,
  can,
  canCreate,
  editActionOf,
  type PackageFacts,
  paymentActionOf,
} from '#domain/policy.ts';
import { type DeliveryStatus, parseStatus } from '#domain/status.ts';
import { transition, type Wanted } from '#domain/transition.ts';
import { roleOf } from '#domain/user.ts';
import type { Database } from '#server/database/database.ts';
import { staleFields, touch } from '#server/database/field-versions.ts';
import { hold } from '#server/modules/ledger/service.ts';
import { tellNews } from '#server/modules/notifications/news.ts';
import { lockUser } from '#server/modules/users/repository.ts';
import { actorOf } from '#server/modules/users/user-view.ts';
import { conflictFields, insist, invalidField, Refusal } from '#server/refusal.ts';
import { checkDates, columnsOf, differingChanges } from './package-changes.ts';
import { covers, settleChange } from './package-payment.ts';
import { factsOfRow, packageFor } from './package-view.ts';
import * as repository from './repository.ts';

async function answer(db: Database, actor: Actor, id: string): Promise<WirePackage> {
  const found = await repository.findPackage(db, id);
  if (!found) throw new Refusal('not_found');
  return packageFor(actor, found);
}

/** All that `actor` may see, newest first. */
export async function listVisiblePackages(db: Database, actor: Actor): Promise<WirePackage[]> {
  const found = await repository.listPackagesFor(db, actor);
  return found
    .filter(({ row }) => can(actor, 'view', factsOfRow(row)).isAllowed)
    .map((one) => packageFor(actor, one));
}

/** Refuses with `not_found` for what `actor` may not see. */
export async function getPackage(db: Database, actor: Actor, id: string): Promise<WirePackage> {
  const found = await repository.findPackage(db, id);
  if (!found) throw new Refusal('not_found');
  insist(can(actor, 'view', factsOfRow(found.row)));
  return packageFor(actor, found);
}

/** Refuses with `forbidden`, `profile_incomplete`, `invalid_fields` or `id_taken`. */
export async function createPackage(
  tx: Database,
  { actor, body, now }: { actor: Actor; body: CreatePackageBody; now: Date },
): Promise<WirePackage> {
  const { _id: id = randomUUID(), senderId = actor.id, priceOffer, ...fields } = body;
  insist(canCreate(actor, senderId));
  const pickupDate = new Date(fields.pickupDate);
  const deliveryDate = fields.deliveryDate === null ? null : new Date(fields.deliveryDate);
  checkDates(pickupDate, deliveryDate);
  if (senderId !== actor.id && !(await lockUser(tx, senderId))?.isActive) {
    throw invalidField('senderId', 'Must be the id of an active user.');
  }
  const priceKobo = nairaToKobo(priceOffer);
  const isHeld =
    fields.paymentMethod === 'app' && (await covers(tx, senderId, actor.id, priceKobo));
  const isNew = await repository.insertPackage(tx, {
    ...fields,
    ...{ id, senderId, pickupDate, deliveryDate, priceKobo },
    ...(isHeld ? { paymentStatus: 'paid', heldKobo: priceKobo } : {}),
    createdAt: now,
    updatedAt: now,
  });
  if (!isNew) throw new Refusal('id_taken');
  if (isHeld) {
    await hold(tx, { packageId: id, senderId, amountKobo: priceKobo, actorId: actor.id, now });
  }
  const after = { status: 'pending', courierId: null } as const;
  await tellNews(tx, { id, before: null, after, actorId: actor.id, now });
  return answer(tx, actor, id);
}

/** An empty status is a mistake here, though a missing one reads as pending elsewhere. */
function wantedStatus(text: string | undefined): DeliveryStatus | undefined {
  if (text === undefined) return undefined;
  const status = text.trim() === '' ? null : parseStatus(text);
  if (status === null) throw invalidField('deliveryStatus', 'Must be a delivery status.');
  return status;
}

/** A courier to assign: active, an Employee, able to be called, and not the sender (DESIGN.md section 3). */
async function insistOnCourier(
  tx: Database,
  courierId: string,
  facts: PackageFacts,
): Promise<void> {
  const courier = await lockUser(tx, courierId);
  const isFit =
    courier?.isActive && roleOf(courier.roles) === 'Employee' && actorOf(courier).isProfileComplete;
  if (!isFit || courierId === facts.senderId) {
    throw invalidField(
      'deliveryPersonId',
      'Must be an active delivery personnel with a complete profile, and not the sender.',
    );
  }
}

interface Patch {
  actor: Actor;
  id: string;
  body: PatchPackageBody;
  now: Date;
}

/** Is this no more than 'I take it'? */
function isPlainAccept(actor: Actor, body: PatchPackageBody, wanted: Wanted): boolean {
  const { deliveryPersonId: _c, deliveryStatus: _s, baseVersion: _b, ...rest } = body;
  return (
    actor.role === 'Employee' &&
    actor.isProfileComplete &&
    wanted.courierId === actor.id &&
    (wanted.status === undefined || wanted.status === 'in-transit') &&
    Object.keys(rest).length === 0
  );
}

/** The payment status that a patch asks for; undefined where it would be so anyway. */
function newPayment(
  row: repository.PackageRow,
  { paymentMethod }: PackageChanges,
  asked: PaymentStatus | undefined,
): PaymentStatus | undefined {
  // Another method of payment starts as unpaid again, so that cash that was paid is no app money.
  const isUnpaid = row.paymentStatus === 'unpaid' || paymentMethod !== undefined;
  return asked === (isUnpaid ? 'unpaid' : 'paid') ? undefined : asked;
}

/** Everything in the patch must be allowed by the facts as they are; then all of it is written. */
async function patchLocked(tx: Database, patch: Patch, wanted: Wanted): Promise<void> {
  const { actor, id, body, now } = patch;
  const row = await repository.lockPackage(tx, id);
  if (!row) throw new Refusal('not_found');
  const facts = factsOfRow(row);
  const { deliveryPersonId, deliveryStatus, paymentStatus, baseVersion, ...fields } = body;

  const target = transition(actor, facts, wanted);
  if (!target.isAllowed) throw new Refusal(target.code);
  insist(can(actor, 'view', facts));
  const changes = differingChanges(row, fields);
  // Also where nothing differs: whether it does would tell those who may not see the field.
  if (Object.keys(fields).length > 0) insist(can(actor, editActionOf(changes), facts));
  const wantedPayment = newPayment(row, changes, paymentStatus);
  const paymentMethod = changes.paymentMethod ?? facts.paymentMethod;
  if (wantedPayment !== undefined) {
    // Judged by the method and the end as they will be: what is cancelled is not paid any more.
    const isEnding = [facts.status, target.status].includes('cancelled');
    const status = isEnding ? target.status : facts.status;
    const action = paymentActionOf(paymentMethod, wantedPayment);
    insist(can(actor, action, { ...facts, paymentMethod, status }));
  }

  if (target.actions.includes('assign') && target.courierId !== null) {
    await insistOnCourier(tx, target.courierId, facts);
  }
  const names = Object.keys(changes);
  const relied = [
    ...(target.actions.includes('accept') ? bargain : []),
    ...(wantedPayment === 'paid' ? bill : []),
  ];
  const stale = staleFields(row, [...names, ...relied], baseVersion);
  if (stale.length > 0) {
    const current = await answer(tx, actor, id);
    throw new Refusal('conflict', { current, fields: conflictFields(stale) });
  }
  const columns = columnsOf(row, changes);
  const isMoved = target.courierId !== row.courierId || target.status !== row.status;
  if (!isMoved && wantedPayment === undefined && Object.keys(columns).length === 0) return;
  const { courierId, status } = target;
  const priceKobo = columns.priceKobo ?? row.priceKobo;
  const moved = { courierId, status, isDeleted: false };
  const after = { ...moved, paymentMethod, priceKobo, wanted: paymentStatus };
  const money = await settleChange(tx, { row, after, actorId: actor.id, now });
  await repository.updatePackage(tx, id, {
    ...columns,
    ...money,
    ...{ courierId, status, updatedAt: now },
    ...touch(row, names),
  });
  await tellNews(tx, { id, before: row, after: { status, courierId }, actorId: actor.id, now });
}

/**
 * Changes fields, courier, status or payment status; a patch that changes nothing leaves the
 * version alone. Refuses with what the policy says, `invalid_fields` or `conflict` (with the row).
 */
export async function patchPackage(tx: Database, patch: Patch): Promise<WirePackage> {
  const { actor, id, body, now } = patch;
  const wanted: Wanted = {
    courierId: body.deliveryPersonId,
    status: wantedStatus(body.deliveryStatus),
  };
  const isAccepted =
    isPlainAccept(actor, body, wanted) &&
    (await repository.acceptPackage(tx, {
      ...{ id, courierId: actor.id, baseVersion: body.baseVersion, now },
    }));
  if (isAccepted) {
    const before = { status: 'pending', courierId: null } as const;
    const after = { status: 'in-transit', courierId: actor.id } as const;
    await tellNews(tx, { id, before, after, actorId: actor.id, now });
  } else {
    await patchLocked(tx, patch, wanted);
  }
  return answer(tx, actor, id);
}

/** Refuses with `not_found`, `forbidden` or `courier_assigned`. */
export async function deletePackage(
  tx: Database,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
): Promise<Removed> {
  const row = await repository.lockPackage(tx, id);
  if (!row) throw new Refusal('not_found');
  insist(can(actor, 'delete', factsOfRow(row)));
  const after = { ...row, wanted: undefined, isDeleted: true };
  const money = await settleChange(tx, { row, after, actorId: actor.id, now });
  await repository.updatePackage(tx, id, {
    ...money,
    version: row.version + 1,
    updatedAt: now,
    deletedAt: now,
  });
  return { _id: id, removed: true };
}
