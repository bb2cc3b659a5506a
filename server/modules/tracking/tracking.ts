/** Derives the recipient's view of a package from its rows. Pure. */
import type { EventType, ReasonCode } from '#contract/event.ts';
import { reasonCodes } from '#contract/event.ts';
import {
  type TrackedType,
  type Tracking,
  type TrackingStage,
  trackedTypes,
} from '#contract/tracking.ts';
import { distanceMeters } from '#domain/distance.ts';
import { rulesOfEvent } from '#domain/event-types.ts';
import { isCollected, isComing, progressOf } from '#domain/package-state.ts';
import { positionForRecipient, toHundredMetres } from '#domain/position.ts';
import type { PackageRow } from '#server/database/schema.ts';
import { isRepeat } from '#server/modules/packages/event-rules.ts';
import { displayNumber } from '#server/modules/packages/found-package.ts';
import { isLocked } from '#server/modules/packages/handover.ts';
import type { Found } from './repository.ts';

/** Notes per link. */
export const maxNotes = 10;
const afterEndMs = 24 * 60 * 60_000;

export interface Tracked {
  tracking: Tracking;
  /** From the courier's position to the delivery pin, both to 100 m; null if either is unknown. */
  meters: number | null;
  /** Are there photos of the delivery that the server does not have yet? */
  awaitsPhotos: boolean;
}

const isTracked = (type: EventType): type is TrackedType =>
  (trackedTypes as readonly EventType[]).includes(type);
const isReason = (reason: string | null): reason is ReasonCode =>
  reason !== null && (reasonCodes as readonly string[]).includes(reason);

function stageOf(row: PackageRow): TrackingStage {
  if (row.status === 'pending') return 'waiting';
  if (row.status === 'delivered') return 'delivered';
  return progressOf(row) ?? (row.outcome === 'returned' ? 'returned' : 'cancelled');
}

/** When the link ends; null: not yet known. */
export function endOf({ row, events }: Pick<Found, 'row' | 'events'>): Date | null {
  if (row.deletedAt) return row.deletedAt;
  if (row.status === 'pending' || row.status === 'in-transit') return null;
  const last = events.findLast((event) => rulesOfEvent(event.type).isEnd && !isRepeat(event));
  const endedAt = last?.receivedAt ?? row.deliveredAt ?? row.updatedAt;
  return new Date(endedAt.getTime() + afterEndMs);
}

export function trackedOf(found: Found, now: Date): Tracked {
  const { row, events, storedIds } = found;
  const stage = stageOf(row);
  const position = positionForRecipient(found.position, row, now);
  const delivery = events.findLast(({ type }) => type === 'delivered');
  const photoIds = stage === 'delivered' ? (delivery?.proof?.photoIds ?? []) : [];
  const { dropoffCode: code, dropoffToken: token } = row;
  const tracking: Tracking = {
    packageId: displayNumber(row.number),
    stage,
    timeline: events.flatMap(({ type, effectiveAt, reason, before }) =>
      isTracked(type) && !isRepeat({ type, before })
        ? [
            {
              type,
              at: effectiveAt.toISOString(),
              reason: type === 'attempt_failed' && isReason(reason) ? reason : null,
            },
          ]
        : [],
    ),
    window: {
      from: row.pickupDate.toISOString(),
      to: row.deliveryDate?.toISOString() ?? null,
    },
    courier: isCollected(row) ? found.courier : null,
    position,
    handover:
      row.handover === 'code' && isComing(row) && code !== null && token !== null
        ? { code: isLocked(row) ? null : code, token }
        : null,
    photoIds: photoIds.filter((id) => storedIds.has(id)),
    canNote: isComing(row) && row.linkNotes < maxNotes,
    note: row.recipientNote,
    endsAt: endOf(found)?.toISOString() ?? null,
  };
  const pin = row.deliveryLocation;
  return {
    tracking,
    // From enough places, exact distances would tell the exact pin.
    meters: position && pin ? distanceMeters(position, toHundredMetres(pin)) : null,
    awaitsPhotos: photoIds.length > tracking.photoIds.length,
  };
}
