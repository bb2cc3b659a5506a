/**
 * Minimal checks that make a mirror row usable: cheap, since thousands are read at each start, and
 * looser than the contract, so that freshly pulled rows always pass.
 */
import { isLocation } from '#domain/location.ts';

type Stored = Readonly<Record<string, unknown>>;

const isRecord = (stored: unknown): stored is Stored =>
  typeof stored === 'object' && stored !== null;

const isText = (value: unknown) => typeof value === 'string';

/** ISO 8601. */
export const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

const isParty = (value: unknown) =>
  isRecord(value) && isText(value.id) && isText(value.firstName) && isText(value.lastName);

const isPin = (value: unknown) => value === undefined || value === null || isLocation(value);

function isPackage(stored: Stored): boolean {
  const { id, version, status, sender, courier, createdAt, pickupDate, priceOfferKobo } = stored;
  if (!isText(id) || !Number.isInteger(version) || !Number.isFinite(priceOfferKobo)) return false;
  if (!isText(status) || !isMoment(createdAt) || !isMoment(pickupDate)) return false;
  if (!isPin(stored.pickupLocation) || !isPin(stored.deliveryLocation)) return false;
  if (!isParty(sender) || (courier !== null && !isParty(courier))) return false;
  return isText(stored.description) && isText(stored.recipientName) && isText(stored.packageId);
}

const isEvent = (event: unknown) =>
  isRecord(event) &&
  isText(event._id) &&
  isText(event.type) &&
  isMoment(event.receivedAt) &&
  isMoment(event.effectiveAt);

/** By table; takes a stored row. */
export const isReadable: Readonly<
  Record<'packages' | 'events' | 'users' | 'lists' | 'seen', (stored: Stored) => boolean>
> = {
  packages: isPackage,
  events: ({ version, events }) =>
    Number.isInteger(version) && Array.isArray(events) && events.every(isEvent),
  users: (stored) =>
    isParty(stored) && Number.isInteger(stored.version) && Array.isArray(stored.roles),
  lists: ({ cursor, fullPages, streamed }) =>
    isText(cursor) &&
    (fullPages === null || Number.isInteger(fullPages)) &&
    (streamed === undefined || isText(streamed)),
  seen: ({ ids }) => Array.isArray(ids) && ids.every(isText),
};
