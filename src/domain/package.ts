/** A package as the product thinks of it, and its two ways to and from the wire (SPEC.md section 3). */
import type { Location } from '#contract/fields.ts';
import type {
  PackageChanges,
  PaymentMethod,
  PaymentStatus,
  WirePackage,
} from '#contract/package.ts';
import { koboToNaira, nairaToKobo } from './money.ts';
import { type DeliveryStatus, parseStatus, statusLabel } from './status.ts';
import { type Party, partyFromWire, partyToWire } from './user.ts';

export interface Package {
  id: string;
  /** The display number ('KY-000042'); '' until the server has given one. */
  packageId: string;
  version: number;
  sender: Party;
  courier: Party | null;
  recipientName: string;
  /** Null while withheld from this reader. */
  recipientPhone: string | null;
  recipientEmail: string | null;
  description: string;
  notes: string | null;
  pickupAddress: string;
  deliveryAddress: string;
  /** The pins on the map. Rows that were mirrored before there were any lack both. */
  pickupLocation: Location | null;
  deliveryLocation: Location | null;
  /** ISO 8601, UTC. */
  pickupDate: string;
  deliveryDate: string | null;
  priceOfferKobo: number;
  paymentMethod: PaymentMethod;
  status: DeliveryStatus;
  paymentStatus: PaymentStatus;
  createdAt: string;
  updatedAt: string;
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
export function withChanges(current: Package, changes: PackageChanges): Package {
  const { priceOffer, ...same } = changes;
  const present = Object.fromEntries(
    Object.entries(same).filter(([, value]) => value !== undefined),
  ) as Partial<Package>;
  return {
    ...current,
    ...present,
    ...(priceOffer === undefined ? {} : { priceOfferKobo: nairaToKobo(priceOffer) }),
  };
}
