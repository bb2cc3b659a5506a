import { Share2 } from 'lucide-react';
import type { PackageView } from '#domain/overlay.ts';
import { productName } from '#domain/product.ts';
import { IconButton } from '#ui/button.tsx';
import { copyText } from '#ui/copy-button.tsx';
import { showError, showInfo } from '#ui/toast.tsx';
import { packageSummary } from './package-summary.ts';
import { words } from './words.ts';

/** True: shared, or given up by the person. False: this browser cannot. */
async function shareText(title: string, text: string): Promise<boolean> {
  if (!navigator.share) return false;
  try {
    await navigator.share({ title, text });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

export function ShareButton({ view }: { view: PackageView }) {
  const share = async () => {
    const text = packageSummary(view);
    if (await shareText(`${productName} ${view.packageId}`.trim(), text)) return;
    if (await copyText(text)) showInfo(words.detail.summaryCopied);
    else showError(words.detail.notCopied);
  };
  return (
    <IconButton
      label={words.detail.share}
      icon={<Share2 aria-hidden />}
      onClick={() => void share()}
    />
  );
}
