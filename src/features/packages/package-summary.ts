/** A package in a few lines, to be sent to somebody. Pure; no phone number of anybody is in it. */
import { formatDate } from '#domain/format-date.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { statusLabel } from '#domain/status.ts';
import { displayName } from '#domain/user.ts';
import { words } from './words.ts';

const stop = (label: string, address: string, date: string | null) =>
  `${label}: ${address}${date === null ? '' : ` (${formatDate(date, words.notSpecified)})`}`;

export function packageSummary(view: PackageView): string {
  const { summary } = words.detail;
  return [
    `${view.packageId || words.noNumber} · ${statusLabel(view.status)}`,
    view.description,
    stop(words.pickup, view.pickupAddress, view.pickupDate),
    stop(words.delivery, view.deliveryAddress, view.deliveryDate),
    `${summary.recipient}: ${view.recipientName}`,
    ...(view.courier ? [`${summary.courier}: ${displayName(view.courier)}`] : []),
    `${formatNaira(view.priceOfferKobo)}, ${words.methods[view.paymentMethod] ?? words.notSpecified}`,
  ].join('\n');
}
