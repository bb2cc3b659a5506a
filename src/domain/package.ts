/** A package as the product thinks of it, and its two ways to and from the wire (SPEC.md section 3). */
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

/** An unknown spelling of a status reads as pending, as the specification's cards do. */
export function packageFromWire(wire: WirePackage): Package {
  const { _id, senderId, deliveryPersonId, priceOffer, deliveryStatus, ...same } = wire;
  return {
    ...same,
    id: _id,
    sender: partyFromWire(senderId),
    courier: deliveryPersonId === null ? null : partyFromWire(deliveryPersonId),
    priceOfferKobo: nairaToKobo(priceOffer),
    status: parseStatus(deliveryStatus) ?? 'pending',
  };
}

export function packageToWire(inner: Package): WirePackage {
  const { id, sender, courier, priceOfferKobo, status, ...same } = inner;
  return {
    ...same,
    _id: id,
    senderId: partyToWire(sender),
    deliveryPersonId: courier === null ? null : partyToWire(courier),
    priceOffer: koboToNaira(priceOfferKobo),
    deliveryStatus: statusLabel(status),
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
