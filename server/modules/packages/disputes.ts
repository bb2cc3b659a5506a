/** Disputes about a delivery or return (contract/dispute). An open one freezes what is held. */
import {
  type DisputeDecision,
  disputeHours,
  type OpenDisputeBody,
  type ResolveDisputeBody,
} from '#contract/dispute.ts';
import type { WirePackage } from '#contract/package.ts';
import { isDecidedAfter } from '#domain/event.ts';
import { withDispute } from '#domain/package.ts';
import { type Actor, can } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import type { PackageRow } from '#server/database/schema.ts';
import { insist, invalidField, Refusal } from '#server/http/refusal.ts';
import { endedAt } from './event-rules.ts';
import { readPast, writeEvents } from './package-events.ts';
import type { MoneyTerms } from './package-money.ts';
import { settleChange, settleDecision } from './package-payment.ts';
import { storedPackageOf } from './package-view.ts';
import * as repository from './repository.ts';
import { getPackage } from './visible-packages.ts';

interface Call<Body> {
  actor: Actor;
  id: string;
  body: Body;
  now: Date;
}

async function lock(tx: Database, id: string): Promise<PackageRow> {
  const row = await repository.lockPackage(tx, id);
  if (!row) throw new Refusal('not_found');
  return row;
}

/** Refuses with the policy's code, `too_late` or `id_taken`. */
export async function openDispute(
  tx: Database,
  { actor, id, body, now }: Call<OpenDisputeBody>,
): Promise<WirePackage> {
  const row = await lock(tx, id);
  insist(can(actor, 'dispute', storedPackageOf(row)));
  // A decision is the end of it, for both sides.
  const past = await readPast(tx, id);
  const isDecided = isDecidedAfter(past);
  const at = endedAt(past) ?? row.deliveredAt ?? row.updatedAt;
  const isLate = now.getTime() - at.getTime() > disputeHours * 3_600_000;
  // However long its pictures take: what is held until later can be decided about.
  const isWaiting = row.photosMissing > 0 || (row.releaseAt !== null && row.releaseAt > now);
  if (isLate && !isWaiting) throw new Refusal('too_late');
  const event = { id: body._id, type: 'disputed', reason: body.kind, note: body.text } as const;
  const isNew = await writeEvents(tx, { packageId: id, actorId: actor.id, now }, [event]);
  if (!isNew) throw new Refusal('id_taken');
  if (isDecided) throw new Refusal('too_late');
  const { dispute } = withDispute(storedPackageOf(row), body, row.senderId === actor.id);
  await repository.updatePackage(tx, id, {
    dispute,
    releaseAt: null,
    version: row.version + 1,
    updatedAt: now,
  });
  return getPackage(tx, actor, id);
}

function percentOf({ decision, courierPercent }: ResolveDisputeBody): number {
  const percents: Record<DisputeDecision, number | undefined> = {
    release: 100,
    refund: 0,
    split: courierPercent,
  };
  const percent = percents[decision];
  if (percent === undefined) {
    throw invalidField('courierPercent', 'Must be the share of the courier, 1 to 99.');
  }
  return percent;
}

/** Refuses with `not_found`, the policy's code or `invalid_fields`. */
export async function resolveDispute(
  tx: Database,
  {
    actor,
    id,
    disputeId,
    body,
    now,
    terms,
  }: Call<ResolveDisputeBody> & {
    disputeId: string;
    terms: MoneyTerms;
  },
): Promise<WirePackage> {
  const courierPercent = percentOf(body);
  const row = await lock(tx, id);
  insist(can(actor, 'resolve', storedPackageOf(row)));
  if (row.dispute?._id !== disputeId) throw new Refusal('not_found');
  const change = { row: { ...row, dispute: null }, actorId: actor.id, now };
  const division = { courierPercent, cause: 'dispute' } as const;
  const after = { ...row, wanted: undefined, isVerified: false, isDeleted: false, division };
  const money =
    row.heldKobo > 0
      ? await settleChange(tx, { ...change, terms, after })
      : await settleDecision(tx, change, courierPercent);
  await repository.updatePackage(tx, id, {
    ...money,
    dispute: null,
    version: row.version + 1,
    updatedAt: now,
  });
  // The ledger moves nothing that was paid in cash or not at all; the event shows it.
  const fields = money ? ['paidOut'] : [];
  const event = { type: 'resolved', reason: body.decision, note: body.reason, fields } as const;
  await writeEvents(tx, { packageId: id, actorId: actor.id, now }, [event]);
  return getPackage(tx, actor, id);
}
