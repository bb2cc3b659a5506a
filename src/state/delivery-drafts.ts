/**
 * Drafts of the delivery and problem sheets, per user, package and sheet, so that no sheet starts
 * with another's text. A phone short of memory ends the page while its camera or another app is
 * open. They end as package drafts do; their pictures are in db/proofs.
 */
import { type DeliveryDraft, noDelivery } from './delivery-draft.ts';
import { forgettable, typedKeys } from './forgettable.ts';
import { isLike, storedAtom } from './safe-storage.ts';

type DeliveryDrafts = Readonly<Record<string, Partial<DeliveryDraft>>>;

const { isCashCollected: _, ...texts } = noDelivery;

function areDrafts(stored: unknown): stored is DeliveryDrafts {
  if (typeof stored !== 'object' || stored === null) return false;
  return Object.values(stored as Partial<DeliveryDrafts>).every((draft) => {
    const isAnswer = [undefined, null, true, false].includes(draft?.isCashCollected);
    return isAnswer && isLike(draft, texts);
  });
}

export const deliveryDraftsAtom = forgettable(
  storedAtom(typedKeys.deliveryDrafts, {}, areDrafts),
  {},
);

/** A decision's draft belongs to one problem. */
export type DeliverySheet = 'deliver' | 'return' | 'attempt' | 'report' | `decide ${string}`;

/** `deliver` has the package's own entry. */
export function deliveryKey(userId: string, packageId: string, sheet: DeliverySheet = 'deliver') {
  return [userId, packageId, ...(sheet === 'deliver' ? [] : [sheet])].join('/');
}

/** The most kept; the oldest is dropped first. */
const mostDrafts = 20;

function changed(
  drafts: DeliveryDrafts,
  key: string,
  changes: Partial<DeliveryDraft>,
): DeliveryDrafts {
  const { [key]: before, ...others } = drafts;
  const entries = [...Object.entries(others), [key, { ...noDelivery, ...before, ...changes }]];
  return Object.fromEntries(entries.slice(-mostDrafts));
}

export interface DraftPlace {
  userId: string;
  packageId: string;
  sheet: DeliverySheet;
}

const keyOf = ({ userId, packageId, sheet }: DraftPlace) => deliveryKey(userId, packageId, sheet);
const packageKeyOf = ({ userId, packageId }: DraftPlace) => deliveryKey(userId, packageId);

export function deliveryDraftOf(drafts: DeliveryDrafts, place: DraftPlace) {
  const draft: DeliveryDraft = { ...noDelivery, ...drafts[keyOf(place)] };
  return { draft, isOpen: drafts[packageKeyOf(place)]?.isOpen === place.sheet };
}

export const withTyped = (
  drafts: DeliveryDrafts,
  place: DraftPlace,
  typed: Partial<DeliveryDraft>,
): DeliveryDrafts => changed(drafts, keyOf(place), typed);

/** One at a time. */
export const withSheet = (
  drafts: DeliveryDrafts,
  place: DraftPlace,
  isOpen: boolean,
): DeliveryDrafts => changed(drafts, packageKeyOf(place), { isOpen: isOpen ? place.sheet : '' });

/** Closed, and nothing typed in it. */
export function withoutDraft(drafts: DeliveryDrafts, place: DraftPlace): DeliveryDrafts {
  const { [keyOf(place)]: _, ...others } = drafts;
  return others[packageKeyOf(place)] ? withSheet(others, place, false) : others;
}
