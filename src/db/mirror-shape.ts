/**
 * What of a mirror can be relied on. A phone's storage is damaged now and then, by a dying battery
 * or a disk that is full; the mirror is a copy, so what is damaged is left out and asked for again.
 * As much is looked at as domain and screens rely on: a list of thousands is read at each start.
 */
import { isLocation } from '#domain/location.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import type { ListState, OwnSteps, SeenIds } from './user-database.ts';

type Stored = Readonly<Record<string, unknown>>;

const isRecord = (stored: unknown): stored is Stored =>
  typeof stored === 'object' && stored !== null;

const isText = (value: unknown) => typeof value === 'string';

const isMoment = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

const isParty = (value: unknown) =>
  isRecord(value) && isText(value.id) && isText(value.firstName) && isText(value.lastName);

const isPin = (value: unknown) => value === undefined || value === null || isLocation(value);

export function isPackage(stored: unknown): stored is Package {
  if (!isRecord(stored)) return false;
  const { id, version, status, sender, courier, createdAt, pickupDate, priceOfferKobo } = stored;
  if (!isText(id) || !Number.isInteger(version) || !Number.isFinite(priceOfferKobo)) return false;
  if (!isText(status) || !isMoment(createdAt) || !isMoment(pickupDate)) return false;
  if (!isPin(stored.pickupLocation) || !isPin(stored.deliveryLocation)) return false;
  if (!isParty(sender) || (courier !== null && !isParty(courier))) return false;
  return isText(stored.description) && isText(stored.recipientName) && isText(stored.packageId);
}

export function isUser(stored: unknown): stored is User {
  if (!isParty(stored)) return false;
  const { version, roles } = stored as unknown as Stored;
  return Number.isInteger(version) && Array.isArray(roles);
}

export function isListState(stored: ListState): boolean {
  const { cursor, fullPages } = stored as Partial<ListState>;
  return isText(cursor) && (fullPages === null || Number.isInteger(fullPages));
}

export const isSeen = ({ ids }: Partial<SeenIds>): boolean =>
  Array.isArray(ids) && ids.every(isText);

export function isOwnSteps({ steps }: Partial<OwnSteps>): boolean {
  if (steps === undefined) return true;
  return Array.isArray(steps) && steps.every((step) => step?.foreignFields instanceof Set);
}

/** ISO 8601, as stored in `meta`. */
export const isStoredMoment = isMoment;
