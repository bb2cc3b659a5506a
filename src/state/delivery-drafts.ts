/**
 * What was typed at the door, or of a problem, per user and package: a phone short of memory ends
 * the page while its camera or another app is open. Ends as package drafts do; the pictures taken with it are in db/proofs.
 */
import { hasOnlyTexts, storedAtom } from './safe-storage.ts';

export const noDelivery = {
  /**
   * The step whose sheet is open, and opens again with the page: 'deliver', 'return', 'attempt',
   * 'report', 'decide' or ''.
   */
  isOpen: '',
  code: '',
  /** The scanned token, which takes the place of the code. */
  qr: '',
  /** 'photo': without the code. */
  way: '',
  relation: '',
  recipientName: '',
  /** 'yes' or 'no', where there is cash to collect. */
  cash: '',
  /** Why it was not delivered, or what kind of problem is reported. */
  reason: '',
  note: '',
};
export type DeliveryDraft = typeof noDelivery;

type DeliveryDrafts = Readonly<Record<string, Partial<DeliveryDraft>>>;

function areDrafts(stored: unknown): stored is DeliveryDrafts {
  if (typeof stored !== 'object' || stored === null) return false;
  return Object.values(stored).every((draft) => hasOnlyTexts(draft, Object.keys(noDelivery)));
}

export const deliveryDraftsAtom = storedAtom('deliveryDrafts', {}, areDrafts);

/** The most kept; the oldest is dropped first. */
const mostDrafts = 10;

export function withDeliveryDraft(
  drafts: DeliveryDrafts,
  key: string,
  draft: DeliveryDraft | null,
): DeliveryDrafts {
  const others = Object.entries(drafts).filter(([each]) => each !== key);
  return Object.fromEntries(draft ? [...others, [key, draft] as const].slice(-mostDrafts) : others);
}
