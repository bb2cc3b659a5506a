/** Delivery status: one enum inside, one parser for every spelling at the boundary. */
import type { DeliveryStatusLabel } from '#contract/package.ts';

export const deliveryStatuses = ['pending', 'in-transit', 'delivered', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const labels: Record<DeliveryStatus, DeliveryStatusLabel> = {
  pending: 'Pending',
  'in-transit': 'In Transit',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

const byLetters: Record<string, DeliveryStatus> = {
  pending: 'pending',
  intransit: 'in-transit',
  delivered: 'delivered',
  cancelled: 'cancelled',
  canceled: 'cancelled',
};

/** The spelling on the wire and on cards. */
export function statusLabel(status: DeliveryStatus): DeliveryStatusLabel {
  return labels[status];
}

/** 'In Transit', 'IN_TRANSIT' … → 'in-transit'; missing → 'pending'; unknown → null. */
export function parseStatus(text: string | null | undefined): DeliveryStatus | null {
  if (text === null || text === undefined || text.trim() === '') return 'pending';
  return byLetters[text.toLowerCase().replace(/[\s_-]/g, '')] ?? null;
}
