import type { OpenDisputeBody } from '#contract/dispute.ts';
import type {
  CreatePackageBody,
  PackageChanges,
  PaymentMethod,
  WirePackage,
} from '#contract/package.ts';
import { noVersion } from '#contract/version.ts';
import { koboToNaira, nairaToKobo } from './money.ts';
import { type DeliveryStatus, parseStatus, statusLabel } from './status.ts';
import { type Party, partyFromWire, partyToWire } from './user.ts';

type Renamed =
  | '_id'
  | 'senderId'
  | 'deliveryPersonId'
  | 'priceOffer'
  | 'deliveryStatus'
  | 'paidOut';

/**
 * As on the wire, with some fields renamed or retyped. `packageId` is the display number, '' until
 * the server assigns one. A row that was mirrored by an app without a field lacks it (`laterFields` in domain/overlay).
 */
export type Package = Omit<ReadPackage, Renamed> & {
  id: string;
  sender: Party;
  courier: Party | null;
  priceOfferKobo: number;
  paidOutKobo: number | null;
  status: DeliveryStatus;
};

/** As the server's table has it, whose rows may not say how they are paid. */
type ReadPackage = Omit<WirePackage, 'paymentMethod'> & { paymentMethod: PaymentMethod | null };

/** A package that refers to people by id: what operations change. */
export type StoredPackage = Omit<Package, 'sender' | 'courier'> & {
  senderId: string;
  courierId: string | null;
};

export function storedPackage({ sender, courier, ...pkg }: Package): StoredPackage {
  return { ...pkg, senderId: sender.id, courierId: courier?.id ?? null };
}

/** Delivery fields of an offer: not started. */
export const notMoving = {
  progress: null,
  attempts: 0,
  lastAttempt: null,
  outcome: null,
  deliveredAt: null,
  verifiedBy: null,
  photosMissing: 0,
} as const;

/** Without a handover by code. */
export const noCode = { dropoffCode: null, dropoffToken: null, dropoffTokenHash: null } as const;

/** The steps of the delivery after a change of status (another courier keeps them), at `at` (ISO 8601). */
export function trackingAfter(
  pkg: StoredPackage,
  status: DeliveryStatus,
  at: string,
): Pick<StoredPackage, keyof typeof notMoving> {
  const { progress, attempts, lastAttempt, outcome, deliveredAt, verifiedBy, photosMissing } = pkg;
  if (status === 'pending') return notMoving;
  const isMoving = status === 'in-transit';
  const isNew = pkg.status !== status;
  return {
    attempts,
    lastAttempt,
    progress: isMoving ? (isNew ? 'accepted' : progress) : null,
    outcome: status === 'cancelled' ? outcome : null,
    deliveredAt: status === 'delivered' ? (isNew ? at : deliveredAt) : null,
    verifiedBy: status === 'delivered' && !isNew ? verifiedBy : null,
    photosMissing: status === 'delivered' && !isNew ? photosMissing : 0,
  };
}

/** The result of a POST, before the server assigns number and version. `at`: ISO 8601. */
export function newPackage(
  { _id: _, senderId: __, priceOffer, ...body }: CreatePackageBody,
  { id, senderId, at }: { id: string; senderId: string; at: string },
): StoredPackage {
  return {
    ...body,
    pickupLocation: body.pickupLocation ?? null,
    deliveryLocation: body.deliveryLocation ?? null,
    handover: body.handover ?? 'none',
    ...noCode,
    returnCode: null,
    codeLocked: false,
    trackingPath: null,
    recipientNote: null,
    id,
    packageId: '',
    version: noVersion,
    senderId,
    courierId: null,
    priceOfferKobo: nairaToKobo(priceOffer),
    status: 'pending',
    paymentStatus: 'unpaid',
    ...notMoving,
    releaseAt: null,
    paidOutKobo: null,
    dispute: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** The package with a dispute that its sender opened, or else its courier. */
export function withDispute<P extends Package | StoredPackage>(
  pkg: P,
  { _id, kind, text }: OpenDisputeBody,
  isSender: boolean,
): P {
  return { ...pkg, dispute: { _id, kind, text, by: isSender ? 'sender' : 'courier' } };
}

// Both directions name every field: with `...rest`, lists take three times as long.

/** An unknown status reads as pending, as the cards show it. */
export function packageFromWire(wire: ReadPackage): Package {
  return {
    id: wire._id,
    packageId: wire.packageId,
    version: wire.version,
    sender: partyFromWire(wire.senderId),
    courier: wire.deliveryPersonId === null ? null : partyFromWire(wire.deliveryPersonId),
    recipientName: wire.recipientName,
    recipientPhone: wire.recipientPhone,
    recipientEmail: wire.recipientEmail,
    description: wire.description,
    notes: wire.notes,
    pickupAddress: wire.pickupAddress,
    deliveryAddress: wire.deliveryAddress,
    pickupLocation: wire.pickupLocation,
    deliveryLocation: wire.deliveryLocation,
    pickupDate: wire.pickupDate,
    deliveryDate: wire.deliveryDate,
    priceOfferKobo: nairaToKobo(wire.priceOffer),
    paymentMethod: wire.paymentMethod,
    status: parseStatus(wire.deliveryStatus) ?? 'pending',
    paymentStatus: wire.paymentStatus,
    progress: wire.progress,
    attempts: wire.attempts,
    lastAttempt: wire.lastAttempt,
    outcome: wire.outcome,
    deliveredAt: wire.deliveredAt,
    releaseAt: wire.releaseAt,
    paidOutKobo: wire.paidOut === null ? null : nairaToKobo(wire.paidOut),
    dispute: wire.dispute,
    handover: wire.handover,
    verifiedBy: wire.verifiedBy,
    photosMissing: wire.photosMissing,
    dropoffCode: wire.dropoffCode,
    returnCode: wire.returnCode,
    dropoffToken: wire.dropoffToken,
    dropoffTokenHash: wire.dropoffTokenHash,
    codeLocked: wire.codeLocked,
    trackingPath: wire.trackingPath,
    recipientNote: wire.recipientNote,
    createdAt: wire.createdAt,
    updatedAt: wire.updatedAt,
  };
}

export function packageToWire(inner: Package): ReadPackage {
  return {
    _id: inner.id,
    packageId: inner.packageId,
    version: inner.version,
    senderId: partyToWire(inner.sender),
    deliveryPersonId: inner.courier === null ? null : partyToWire(inner.courier),
    recipientName: inner.recipientName,
    recipientPhone: inner.recipientPhone,
    recipientEmail: inner.recipientEmail,
    description: inner.description,
    notes: inner.notes,
    pickupAddress: inner.pickupAddress,
    deliveryAddress: inner.deliveryAddress,
    pickupLocation: inner.pickupLocation,
    deliveryLocation: inner.deliveryLocation,
    pickupDate: inner.pickupDate,
    deliveryDate: inner.deliveryDate,
    priceOffer: koboToNaira(inner.priceOfferKobo),
    paymentMethod: inner.paymentMethod,
    deliveryStatus: statusLabel(inner.status),
    paymentStatus: inner.paymentStatus,
    progress: inner.progress,
    attempts: inner.attempts,
    lastAttempt: inner.lastAttempt,
    outcome: inner.outcome,
    deliveredAt: inner.deliveredAt,
    releaseAt: inner.releaseAt,
    paidOut: inner.paidOutKobo === null ? null : koboToNaira(inner.paidOutKobo),
    dispute: inner.dispute,
    handover: inner.handover,
    verifiedBy: inner.verifiedBy,
    photosMissing: inner.photosMissing,
    dropoffCode: inner.dropoffCode,
    returnCode: inner.returnCode,
    dropoffToken: inner.dropoffToken,
    dropoffTokenHash: inner.dropoffTokenHash,
    codeLocked: inner.codeLocked,
    trackingPath: inner.trackingPath,
    recipientNote: inner.recipientNote,
    createdAt: inner.createdAt,
    updatedAt: inner.updatedAt,
  };
}

/** The package with an edit applied; absent fields stay. */
export function withChanges<P extends Package | StoredPackage>(
  current: P,
  { priceOffer, ...same }: PackageChanges,
): P {
  const changed = { ...current, ...withoutAbsent(same) };
  if (priceOffer !== undefined) changed.priceOfferKobo = nairaToKobo(priceOffer);
  return changed;
}

/** The entries that are not undefined. */
export function withoutAbsent<T extends object>(changes: T) {
  const present = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Among the ids of packages whose recipients know their link: theirs was replaced since. */
export const replacedMark = (id: string): string => `-${id}`;
