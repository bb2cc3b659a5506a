/** A package inside the product, and its ways to and from the wire. */
import type { CreatePackageBody, PackageChanges, WirePackage } from '#contract/package.ts';
import { koboToNaira, nairaToKobo } from './money.ts';
import { type DeliveryStatus, parseStatus, statusLabel } from './status.ts';
import { type Party, partyFromWire, partyToWire } from './user.ts';

type Renamed = '_id' | 'senderId' | 'deliveryPersonId' | 'priceOffer' | 'deliveryStatus';

/**
 * As on the wire, but for what has a better name or type inside. `packageId` is the display number,
 * '' until the server has given one. Rows mirrored before there were pins lack both locations.
 */
export type Package = Omit<WirePackage, Renamed> & {
  id: string;
  sender: Party;
  courier: Party | null;
  priceOfferKobo: number;
  status: DeliveryStatus;
};

/** A package with the people on it as ids: what an operation changes. */
export type StoredPackage = Omit<Package, 'sender' | 'courier'> & {
  senderId: string;
  courierId: string | null;
};

export function storedPackage({ sender, courier, ...pkg }: Package): StoredPackage {
  return { ...pkg, senderId: sender.id, courierId: courier?.id ?? null };
}

/** What a POST makes, before the server has given it a number and a version. `at`: ISO 8601. */
export function newPackage(
  { _id: _, senderId: __, priceOffer, ...body }: CreatePackageBody,
  { id, senderId, at }: { id: string; senderId: string; at: string },
): StoredPackage {
  return {
    ...body,
    pickupLocation: body.pickupLocation ?? null,
    deliveryLocation: body.deliveryLocation ?? null,
    id,
    packageId: '',
    version: 0,
    senderId,
    courierId: null,
    priceOfferKobo: nairaToKobo(priceOffer),
    status: 'pending',
    paymentStatus: 'unpaid',
    createdAt: at,
    updatedAt: at,
  };
}

// Both ways name every field: for what is left by `...rest`, lists take three times as long.

/** An unknown spelling of a status reads as pending, as the specification's cards do. */
export function packageFromWire(wire: WirePackage): Package {
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
    createdAt: wire.createdAt,
    updatedAt: wire.updatedAt,
  };
}

export function packageToWire(inner: Package): WirePackage {
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
    pickupLocation: inner.pickupLocation ?? null,
    deliveryLocation: inner.deliveryLocation ?? null,
    pickupDate: inner.pickupDate,
    deliveryDate: inner.deliveryDate,
    priceOffer: koboToNaira(inner.priceOfferKobo),
    paymentMethod: inner.paymentMethod,
    deliveryStatus: statusLabel(inner.status),
    paymentStatus: inner.paymentStatus,
    createdAt: inner.createdAt,
    updatedAt: inner.updatedAt,
  };
}

/** The package with an edit laid over it; absent fields stay. */
export function withChanges<P extends Package | StoredPackage>(
  current: P,
  { priceOffer, ...same }: PackageChanges,
): P {
  const changed = { ...current, ...withoutAbsent(same) };
  if (priceOffer !== undefined) changed.priceOfferKobo = nairaToKobo(priceOffer);
  return changed;
}

/** Without the entries that are undefined. */
export function withoutAbsent<T extends object>(changes: T) {
  const present = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
