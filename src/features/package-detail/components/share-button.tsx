import { Share2 } from 'lucide-react';
import { productName } from '#contract/version.ts';
import { formatDate } from '#domain/dates.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { statusLabel } from '#domain/status.ts';
import { displayName } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import { methodText } from '#package-ui/price.tsx';
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
    `${formatNaira(view.priceOfferKobo)}, ${methodText(view.paymentMethod)}`,
  ].join('\n');
}

export type Shared = 'shared' | 'cancelled' | 'copied' | 'failed';

/** By the phone's own choice of apps; copied where the browser has none. */
export async function shareText(view: PackageView, text: string): Promise<Shared> {
  const title = `${productName} ${view.packageId}`.trim();
  try {
    await navigator.share({ title, text });
    return 'shared';
  } catch (error) {
    // Cancelled, or still open from the tap before.
    const { name } = error as DOMException;
    if (name === 'AbortError' || name === 'InvalidStateError') return 'cancelled';
    return (await copyText(text)) ? 'copied' : 'failed';
  }
}

export function useShare(view: PackageView): () => void {
  const share = async () => {
    const outcome = await shareText(view, packageSummary(view));
    if (outcome === 'copied') showInfo(words.detail.summaryCopied);
    if (outcome === 'failed') showError(words.detail.notCopied);
  };
  return () => void share();
}

export function ShareButton({ view }: { view: PackageView }) {
  return (
    <IconButton label={words.detail.share} icon={<Share2 aria-hidden />} onClick={useShare(view)} />
  );
}
