import { Share2 } from 'lucide-react';
import { productName } from '#contract/version.ts';
import { formatDate } from '#domain/dates.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { statusLabel } from '#domain/status.ts';
import { displayName } from '#domain/user.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { IconButton } from '#ui/button.tsx';
import { copyText } from '#ui/copy-button.tsx';
import { showError, showInfo } from '#ui/toast.tsx';

const stop = (label: string, address: string, date: string | null) =>
  `${label}: ${address}${date === null ? '' : ` (${formatDate(date, words.notSpecified)})`}`;

/** A package in a few lines for sharing, without phone numbers. */
export function packageSummary(view: PackageView): string {
  const { summary } = words.detail;
  return [
    `${view.packageId || words.noNumber} · ${statusLabel(view.status)}`,
    view.description,
    stop(words.pickup, view.pickupAddress, view.pickupDate),
    stop(words.delivery, view.deliveryAddress, view.deliveryDate),
    `${summary.recipient}: ${view.recipientName}`,
    ...(view.courier ? [`${summary.courier}: ${displayName(view.courier)}`] : []),
    `${formatNaira(view.priceOfferKobo)}, ${fields.methods[view.paymentMethod] ?? words.notSpecified}`,
  ].join('\n');
}

/** True: shared or cancelled. False: unsupported by this browser. */
export async function shareText(title: string, text: string): Promise<boolean> {
  if (!navigator.share) return false;
  try {
    await navigator.share({ title, text });
    return true;
  } catch (error) {
    // Cancelled, or still open from the tap before.
    const { name } = error as DOMException;
    return name === 'AbortError' || name === 'InvalidStateError';
  }
}

export function useShare(view: PackageView): () => void {
  const share = async () => {
    const text = packageSummary(view);
    if (await shareText(`${productName} ${view.packageId}`.trim(), text)) return;
    if (await copyText(text)) showInfo(words.detail.summaryCopied);
    else showError(words.detail.notCopied);
  };
  return () => void share();
}

export function ShareButton({ view }: { view: PackageView }) {
  return (
    <IconButton label={words.detail.share} icon={<Share2 aria-hidden />} onClick={useShare(view)} />
  );
}
