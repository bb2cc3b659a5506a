/** One draft of a delivery or problem sheet (delivery-drafts.ts). */

export const noDelivery = {
  /** The sheet that is open, and opens again with the page; '': none. In the package's own entry. */
  isOpen: '',
  code: '',
  /** The scanned token, which takes the place of the code. */
  qr: '',
  /** 'photo': without the code. */
  way: '',
  relation: '',
  recipientName: '',
  /** Where there is cash to collect; null: not answered. */
  isCashCollected: null as boolean | null,
  /** Reason of a failed attempt, or kind of a reported problem. */
  reason: '',
  note: '',
  /** The courier's share, where a problem is decided. */
  courierPercent: '50',
};
export type DeliveryDraft = typeof noDelivery;
